import { html } from 'hono/html';
import {
  MAX_SHOWN_DESCRIPTION_LENGTH,
  MIN_DESCRIPTION_LENGTH,
  MAX_TITLE_WIDTH_PX,
} from '#analysis/checks/content-checks.ts';
import type { CheckResult, Rating } from '#analysis/types.ts';
import { scoreRank } from '#contracts/seo/scores.ts';
import type { Html } from '#origin/platform/accounts/account-page.ts';
import type { EditorRequest } from './editor-request.ts';
import type { DraftReview } from './edited-object.ts';
import { interpolate, type EditorTexts } from './texts/index.ts';

/** Renders previews and advice, which the script replaces while the user types. */
export function renderReview(request: EditorRequest, review: DraftReview): Html {
  const { words } = request;
  const { analysis } = review;
  return html`<p data-summary>
      ${words.seo}: ${renderScore(words, analysis.seo)} ${words.readability}:
      ${renderScore(words, analysis.readability)}
    </p>
    ${renderSearchResult(words, review)} ${renderCard(request, review)} ${renderAdvice(words, review)}`;
}

function renderSearchResult(words: EditorTexts, { language, texts, address, analysis }: DraftReview): Html {
  const { title, description } = texts;
  const widths = { found: analysis.titleWidthPx, most: MAX_TITLE_WIDTH_PX };
  const characters = [...description];
  const pixels = analysis.descriptionWidthPx;
  const lengths = {
    found: characters.length,
    pixels,
    least: MIN_DESCRIPTION_LENGTH,
    most: MAX_SHOWN_DESCRIPTION_LENGTH,
  };
  const excerpt =
    characters.length > MAX_SHOWN_DESCRIPTION_LENGTH
      ? `${characters.slice(0, MAX_SHOWN_DESCRIPTION_LENGTH).join('')} …`
      : description;
  return html`<section>
    <h3>${words.searchPreview}</h3>
    <div class="found">
      <p class="where">${address}</p>
      <p class="title" lang="${language}">${title}</p>
      ${excerpt === '' ? html`<p class="about">${words.noDescription}</p>` : html`<p class="about" lang="${language}">${excerpt}</p>`}
    </div>
    <p class="hint">${interpolate(words.titleWidth, widths)}. ${interpolate(words.descriptionWidth, lengths)}.</p>
  </section>`;
}

function renderCard({ words, context }: EditorRequest, { language, texts, address, picture }: DraftReview): Html {
  const siteOrigin = new URL(context.publicUrl).origin;
  const isLocalImage = picture !== undefined && URL.canParse(picture) && new URL(picture).origin === siteOrigin;
  const image = isLocalImage
    ? html`<img src="${picture}" alt="" />`
    : // Images of other hosts are not loaded, because requests would reveal who edits what.
      html`<div class="no-picture">${picture ?? words.noPicture}</div>`;
  return html`<section>
    <h3>${words.sharedPreview}</h3>
    <div class="shared">
      ${image}
      <p class="hint">${new URL(address, siteOrigin).host}</p>
      <p class="title" lang="${language}">${texts.socialTitle}</p>
      <p lang="${language}">${texts.socialDescription}</p>
    </div>
  </section>`;
}

const GROUPS = [
  ['bad', 'toFix'],
  ['ok', 'toImprove'],
  ['neutral', 'notes'],
  ['good', 'fine'],
] as const satisfies readonly (readonly [Rating, keyof EditorTexts])[];

function renderAdvice(words: EditorTexts, { analysis }: DraftReview): Html {
  const groups = GROUPS.map(([rating, word]) => {
    const results = analysis.results.filter((result) => result.rating === rating);
    const isOpen = rating === 'bad' || rating === 'ok' ? html`open` : '';
    if (results.length === 0) return '';
    return html`<details id="advice-${rating}" ${isOpen}>
      <summary>${interpolate(words[word], { count: results.length })}</summary>
      <ul class="advice">
        ${results.map(renderResult)}
      </ul>
    </details>`;
  });
  const readingTime = interpolate(words.readingTime, { words: analysis.words, minutes: analysis.readingMinutes });
  return html`<section>
    <h3>${words.advice}</h3>
    ${groups}
    <p class="hint">${readingTime}</p>
  </section>`;
}

function renderResult({ id, rating, advice }: CheckResult): Html {
  return html`<li data-check-id="${id}" data-rating="${rating}">${advice}</li>`;
}

/** Renders a score as text and number, not only by colour. */
export function renderScore(words: EditorTexts, score: number): Html {
  const rating = scoreRank(score) ?? 'neutral';
  const number = score === 0 ? '' : ` (${interpolate(words.scoreOf, { score })})`;
  return html`<span class="badge ${rating}"
    >${rating === 'neutral' ? words.notAnalysed : words[rating]}${number}</span
  >`;
}
