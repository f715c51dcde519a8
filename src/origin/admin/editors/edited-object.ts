import { eq } from 'drizzle-orm';
import type { Rating } from '#analysis/types.ts';
import { updatePost } from '#contracts/core/routes.ts';
import type { SeoSettings } from '#contracts/seo/settings.ts';
import { findPages } from '#origin/namespaces/seo/head/find-page.ts';
import { loadHeadContext, loadHeadPages, type HeadPage } from '#origin/namespaces/seo/head/load-pages.ts';
import { writeSeoSettings, readSeoSettings } from '#origin/namespaces/seo/settings.ts';
import {
  analysePage,
  countKeyphraseUses,
  loadFeaturedAlts,
  decodedHeadTexts,
} from '#origin/namespaces/seo/analysis.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import { filterInput } from '#origin/platform/content/writing/plan-content.ts';
import { updateStoredContent } from '#origin/platform/content/writing/write-content.ts';
import { errorFactory } from '#origin/platform/http/transport/rest-error.ts';
import { getKind, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { detectLanguage, plainText } from '#origin/platform/render/plain-text.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { type EditorRequest, interpolate, type EditorTexts } from './editor-request.ts';
import { listEditableKinds } from './object-list.ts';
import { html } from 'hono/html';
import {
  MAX_SHOWN_DESCRIPTION_LENGTH,
  MIN_DESCRIPTION_LENGTH,
  MAX_TITLE_WIDTH_PX,
} from '#analysis/checks/content-checks.ts';
import { scoreRank } from '#contracts/seo/scores.ts';
import type { Html } from '#origin/platform/accounts/account-page.ts';

/** A content row, term or user, with the data of its page's head. */
export type EditedObject = NonNullable<Awaited<ReturnType<typeof loadEditedObject>>>;

/** Changed fields only, so that concurrent edits aren't overwritten. */
export interface DraftChanges {
  texts: Readonly<Partial<Pick<ContentRow, 'title' | 'slug' | 'content'>>>;
  settings: Readonly<Partial<SeoSettings>>;
}

/** Loads an object for editing; undefined if it doesn't exist or the user can't edit it. */
export async function loadEditedObject(request: EditorRequest, type: string, id: number) {
  const { context, caller, session } = request;
  const isSelf = type === 'user' && session.user.id === id;
  if (!isSelf && !listEditableKinds(request).some(([kind]) => kind === type)) return undefined;
  const [found] = await findPages(context, type, [id]);
  const row = found?.kind === 'content' ? found.row : undefined;
  if (!found || (row && (row.status === 'trash' || row.status === 'auto-draft' || !canEdit(row, caller))))
    return undefined;
  const featuredAlt = row && (await loadFeaturedAlts(context.store.db, [row])).get(row.featuredMedia);
  const scope = await loadHeadContext(request);
  const [page] = await loadHeadPages([found], scope);
  return page && { type, id, row, page, site: scope.head, featuredAlt };
}

/** Loads default titles and descriptions by ID: those that heads would show without edited ones. */
export async function loadDefaultTexts(request: EditorRequest, type: string, ids: readonly number[]) {
  if (ids.length === 0) return new Map();
  const scope = await loadHeadContext(request);
  const pages = await loadHeadPages(await findPages(request.context, type, ids), scope);
  return new Map(
    pages.map((page) => {
      const settings = { ...page.settings, title: '', description: '' };
      return [page.id, decodedHeadTexts({ ...page, settings }, scope.head)];
    }),
  );
}

const NO_CHANGES: DraftChanges = { texts: {}, settings: {} };

/** Applies changes to the stored values, saved or not. */
export function createDraft({ row, page }: EditedObject, changes = NO_CHANGES, language?: string) {
  const slugOfPage = page.url.split('/').findLast((part) => part !== '') ?? '';
  const stored = row ?? { title: page.name, slug: slugOfPage, content: page.summary };
  const { title, slug, content: html } = { ...stored, ...changes.texts };
  return {
    name: title,
    slug,
    html,
    language: language ?? detectLanguage(page.name, stored.content),
    settings: { ...page.settings, ...changes.settings },
    changes,
  };
}

export type Draft = ReturnType<typeof createDraft>;

export async function reviewDraft(request: EditorRequest, object: EditedObject, draft: Draft) {
  const { page, site, row } = object;
  const { settings, language, html } = draft;
  const name = plainText(draft.name);
  const variables = row ? { ...page.variables, title: name } : page.variables;
  const url = row ? addressOf(page, row.slug, draft.slug) : page.url;
  const draftPage = { ...page, url, name, variables, settings };
  const analysis = await analysePage(draftPage, site, {
    slug: draft.slug,
    html,
    language,
    adviceLanguage: request.language,
    featuredAlt: object.featuredAlt,
    keyphraseUses: await countKeyphraseUses(request.context.store.db, page, settings.focus_keyphrase, request.caller),
  });
  /** Address of the image for shared links. */
  const picture = settings.og_image || (page.sharedPicture ?? page.picture ?? site.defaultPicture)?.url;
  return { language, texts: decodedHeadTexts(draftPage, site), address: url, picture, analysis };
}

export type DraftReview = Awaited<ReturnType<typeof reviewDraft>>;

/** Returns the page's address with another slug. */
function addressOf({ url }: HeadPage, before: string, slug: string): string {
  const end = `/${before}/`;
  return before !== '' && url.endsWith(end) ? `${url.slice(0, -end.length)}/${slug}/` : url;
}

/** Reason why nothing was saved: the object was deleted or changed by another user. */
type SaveProblem = 'gone' | 'changed';

/**
 * Saves the changes of a draft in one transaction: texts with a revision, settings, and the scores of the review.
 *
 * @param object as read for the draft; values that have changed since are not overwritten
 */
export async function saveDraft(
  request: EditorRequest,
  object: EditedObject,
  { changes }: Draft,
  { analysis }: DraftReview,
): Promise<SaveProblem | undefined> {
  const { context, caller, requestMemo } = request;
  const { row, site, type, id } = object;
  const kind = row && getKind(row, context.kinds);
  const filteredTexts = await filterInput(changes.texts, caller);
  const { site: stored } = await loadHeadContext({ context, requestMemo });
  return writeContent(context.store.db, async (tx) => {
    const problem = await findSaveProblem(tx, context, object, changes);
    if (problem !== undefined) return problem;
    if (kind && Object.keys(filteredTexts).length > 0) {
      const refuse = errorFactory(updatePost.errors, caller);
      const scope = { kind, kinds: context.kinds, caller, site: stored, publicUrl: site.url, now: new Date(), refuse };
      await updateStoredContent(tx, id, filteredTexts, scope);
    }
    const settings = {
      ...changes.settings,
      seo_score: analysis.seo,
      readability_score: analysis.readability,
      title_score: analysis.titleScore,
      description_score: analysis.descriptionScore,
      reading_minutes: analysis.readingMinutes,
    };
    return (await writeSeoSettings(tx, context, { type, id }, settings)) ? undefined : 'gone';
  });
}

/** Saves changed settings with the resulting scores. @returns the problem if nothing was saved */
export async function saveSettings(
  request: EditorRequest,
  object: EditedObject,
  settings: DraftChanges['settings'] = {},
): Promise<SaveProblem | undefined> {
  const draft = createDraft(object, { texts: {}, settings });
  return saveDraft(request, object, draft, await reviewDraft(request, object, draft));
}

async function findSaveProblem(
  tx: Transaction,
  context: OriginContext,
  { type, id, row, page }: EditedObject,
  { settings }: DraftChanges,
): Promise<SaveProblem | undefined> {
  const now = await readSeoSettings(tx, context, { type, id });
  if (!now) return 'gone';
  const [rowNow = {}] = row ? await tx.select().from(content).where(eq(content.id, id)) : [];
  // Scores depend on all texts, so a change to any of them counts.
  const isChanged =
    differ(['title', 'slug', 'content'], rowNow, row ?? {}) || differ(Object.keys(settings), now, page.settings);
  return isChanged ? 'changed' : undefined;
}

function differ(names: readonly string[], now: object, before: object): boolean {
  const [values, earlier] = [new Map(Object.entries(now)), new Map(Object.entries(before))];
  return names.some((name) => values.get(name) !== earlier.get(name));
}

/** Renders previews and advice, which the script replaces while the user types. */
export function renderReview(request: EditorRequest, review: DraftReview): Html {
  const { words } = request;
  const { analysis } = review;
  return html`<p data-state>
      ${words.seo}: ${renderScore(words, analysis.seo)} ${words.readability}:
      ${renderScore(words, analysis.readability)}
    </p>
    ${renderSearchResult(words, review)} ${renderCard(request, review)} ${renderAdvice(words, review)}`;
}

function renderSearchResult(words: EditorTexts, { language, texts, address, analysis }: DraftReview): Html {
  const { title, description } = texts;
  const widths = { found: analysis.titleWidthPx, most: MAX_TITLE_WIDTH_PX };
  const characters = [...description];
  const lengths = {
    found: characters.length,
    pixels: analysis.descriptionWidthPx,
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
        ${results.map(({ id, advice }) => html`<li data-check-id="${id}" data-rating="${rating}">${advice}</li>`)}
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

/** Renders a score as text and number, not only by colour. */
export function renderScore(words: EditorTexts, score: number): Html {
  const rating = scoreRank(score) ?? 'neutral';
  const number = score === 0 ? '' : ` (${interpolate(words.scoreOf, { score })})`;
  return html`<span class="badge ${rating}"
    >${rating === 'neutral' ? words.notAnalysed : words[rating]}${number}</span
  >`;
}
