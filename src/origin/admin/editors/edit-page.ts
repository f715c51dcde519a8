import { EDITORS_PATH } from '#origin/namespaces/seo/editor-links.ts';
import { html } from 'hono/html';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_KEYPHRASE_LENGTH,
  MAX_TITLE_LENGTH,
  seoSettingsBody,
  type SeoSettings,
} from '#contracts/seo/index.ts';
import type { Html } from '#origin/platform/accounts/index.ts';
import { RestError } from '#origin/platform/http/transport/index.ts';
import { answerPage, formToken, renderProblem, type EditorCall } from './editor-call.ts';
import { draftOf, reviewDraft, saveDraft, type Draft, type EditedObject, type Review } from './edited-object.ts';
import { renderReview } from './review-view.ts';
import { fill, type EditorWords } from './words/index.ts';

type Form = Readonly<Record<string, unknown>>;

/** Settings that the form has a text field for, with the word that names it. */
const TEXT_FIELDS = {
  focus_keyphrase: 'focusKeyphrase',
  title: 'seoTitle',
  description: 'description',
  og_title: 'ogTitle',
  og_description: 'ogDescription',
  og_image: 'ogImage',
  canonical: 'canonical',
  redirect: 'redirect',
  breadcrumb_title: 'breadcrumb',
} as const satisfies { [Setting in keyof SeoSettings]?: keyof EditorWords };
type TextField = keyof typeof TEXT_FIELDS;

const LONG_FIELDS: ReadonlySet<TextField> = new Set(['description', 'og_description']);
const ADDRESS_FIELDS: ReadonlySet<string> = new Set(['og_image', 'canonical', 'redirect']);
const FLAGS = { nofollow: 'nofollow', is_cornerstone: 'cornerstone' } as const;
const INDEX_CHOICES = { default: 'indexDefault', index: 'indexYes', noindex: 'indexNo' } as const;
const TEXT_LANGUAGES = { de: 'german', en: 'english', fr: 'french', und: 'other' } as const;

/** `GET <type>/<id>`: the form with what is stored. */
export async function showEditPage(call: EditorCall, object: EditedObject): Promise<Response> {
  const isSaved = new URL(call.path, 'http://x').searchParams.has('saved');
  return answerForm(call, object, draftOf(object), { notice: isSaved ? call.words.saved : '' });
}

/** `POST <type>/<id>`: saves the form, or shows what would become of it. */
export async function takeEditPage(call: EditorCall, object: EditedObject, form: Form): Promise<Response> {
  const { words } = call;
  const { draft, problems } = readDraft(words, object, form);
  const modified = textOf(form['modified']);
  if (problems.length > 0) return answerForm(call, object, draft, { problems, modified, status: 422 });
  if (form['action'] !== 'save') return answerForm(call, object, draft, { notice: words.checked, modified });
  const review = await reviewDraft(call, object, draft);
  try {
    const problem = await saveDraft(call, object, draft, { review, modified });
    if (problem === undefined) return redirectTo(`${pathOf(object)}?saved`);
    // The form that is sent next is the answer to what is stored now.
    return await answerForm(call, object, draft, { problems: [words.conflict], review, status: 409 });
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const reason = fill(words.refused, { reason: error.message });
    return answerForm(call, object, draft, { problems: [reason], modified, review, status: 422 });
  }
}

/** `POST <type>/<id>/check`: only previews and advice, for the script. */
export async function answerCheck(call: EditorCall, object: EditedObject, form: Form): Promise<Response> {
  const { draft } = readDraft(call.words, object, form);
  const body = String(await renderReview(call, await reviewDraft(call, object, draft)));
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  return new Response(body, { headers: { ...headers, 'X-Content-Type-Options': 'nosniff' } });
}

function pathOf({ type, id }: Pick<EditedObject, 'type' | 'id'>): string {
  return `${EDITORS_PATH}/${encodeURIComponent(type)}/${id}`;
}

function redirectTo(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What was sent over what is stored. Settings that are not possible stay as they are, and are named. */
export function readDraft(words: EditorWords, object: EditedObject, form: Form): { draft: Draft; problems: string[] } {
  const stored = draftOf(object);
  const problems: string[] = [];
  let { settings } = stored;
  const take = (name: keyof SeoSettings, word: keyof EditorWords, value: unknown) => {
    if (value === undefined) return;
    const read = seoSettingsBody.safeParse({ [name]: value });
    if (read.success) settings = { ...settings, ...read.data } as SeoSettings;
    else problems.push(wordProblem(words, name, words[word]));
  };
  for (const [name, word] of Object.entries(TEXT_FIELDS)) {
    const sent = form[name];
    if (typeof sent === 'string') take(name as TextField, word, sent.replaceAll(/\s+/g, ' ').trim());
  }
  if (typeof form['index'] === 'string') take('index', 'index', form['index']);
  // Boxes that are not ticked are not sent; the form says that it has them.
  if ('has_flags' in form) {
    for (const [name, word] of Object.entries(FLAGS)) take(name as keyof typeof FLAGS, word, name in form);
  }
  const language = textOf(form['language']);
  const draft: Draft = {
    ...stored,
    settings,
    language: language in TEXT_LANGUAGES ? language : stored.language,
    ...(object.row && 'content' in form
      ? { name: textOf(form['name']), slug: textOf(form['slug']).trim(), html: textOf(form['content']) }
      : {}),
  };
  return { draft, problems };
}

const MOST_CHARACTERS: { [Setting in keyof SeoSettings]?: number } = {
  focus_keyphrase: MAX_KEYPHRASE_LENGTH,
  title: MAX_TITLE_LENGTH,
  description: MAX_DESCRIPTION_LENGTH,
  og_title: MAX_TITLE_LENGTH,
  og_description: MAX_DESCRIPTION_LENGTH,
  breadcrumb_title: MAX_TITLE_LENGTH,
};

function wordProblem(words: EditorWords, name: keyof SeoSettings, field: string): string {
  const most = MOST_CHARACTERS[name];
  if (ADDRESS_FIELDS.has(name)) return fill(words.noAddress, { field });
  return most === undefined ? fill(words.wrong, { field }) : fill(words.tooLong, { field, most });
}

interface FormState {
  notice?: string;
  problems?: readonly string[];
  /** When the form was made; what is stored now where it is left out. */
  modified?: string;
  review?: Review;
  status?: number;
}

async function answerForm(
  call: EditorCall,
  object: EditedObject,
  draft: Draft,
  { notice = '', problems = [], modified, review, status = 200 }: FormState,
): Promise<Response> {
  const { words } = call;
  const shown = review ?? (await reviewDraft(call, object, draft));
  const name = object.page.name || words.untitled;
  const body = html`${problems.length > 0 ? renderProblem(call, problems) : ''}
    ${notice === '' ? '' : html`<p class="notice" role="status">${notice}</p>`}
    <p><a href="${object.page.url}">${words.openPage}</a></p>
    <div class="two">
      <form method="post" action="${pathOf(object)}" data-check="${pathOf(object)}/check">
        ${formToken(call)}
        <input type="hidden" name="modified" value="${modified ?? object.row?.modified ?? ''}" />
        <input type="hidden" name="has_flags" value="1" />
        ${renderFields(words, object, draft)}
      </form>
      <section aria-labelledby="result-title">
        <h2 id="result-title">${words.result}</h2>
        <p class="unseen" id="summary" role="status"></p>
        <div id="result">${renderReview(call, shown)}</div>
      </section>
    </div>`;
  return answerPage(call, { title: name, body }, status);
}

function renderFields(words: EditorWords, { row }: EditedObject, draft: Draft): Html {
  const text = (name: TextField, hint = '') => renderText(words, name, draft.settings[name], hint);
  return html`<fieldset>
      <legend>${words.search}</legend>
      ${text('focus_keyphrase', words.keyphraseHint)} ${text('title', words.emptyFollows)} ${text('description')}
    </fieldset>
    ${row ? renderContent(words, draft) : ''}
    <details>
      <summary>${words.sharing}</summary>
      ${text('og_title', words.emptyFollows)} ${text('og_description', words.emptyFollows)} ${text('og_image')}
    </details>
    <details>
      <summary>${words.advanced}</summary>
      ${renderSelect('index', words.index, draft.settings.index, wordsOf(words, INDEX_CHOICES))}
      ${Object.entries(FLAGS).map(([name, word]) =>
        renderFlag(name, words[word], draft.settings[name as keyof typeof FLAGS]),
      )}
      ${text('breadcrumb_title')} ${text('canonical')} ${text('redirect')}
    </details>
    <div class="field">
      ${renderSelect('language', words.textLanguage, draft.language, wordsOf(words, TEXT_LANGUAGES))}
    </div>
    <div class="buttons">
      <button name="action" value="save">${words.save}</button>
      <button name="action" value="check" class="plain">${words.check}</button>
    </div>`;
}

function renderContent(words: EditorWords, { name, slug, html: text }: Draft): Html {
  return html`<fieldset>
    <legend>${words.content}</legend>
    <div class="field">
      <label for="name">${words.name}</label>
      <input id="name" name="name" value="${name}" maxlength="16384" autocomplete="off" />
    </div>
    <div class="field">
      <label for="slug">${words.slug}</label>
      <input id="slug" name="slug" value="${slug}" maxlength="2000" autocomplete="off" autocapitalize="none" />
    </div>
    <div class="field">
      <label for="content">${words.text}</label>
      <textarea class="code" id="content" name="content" aria-describedby="content-hint" rows="20">${text}</textarea>
      <p class="hint" id="content-hint">${words.textHint}</p>
    </div>
  </fieldset>`;
}

function renderText(words: EditorWords, name: TextField, value: string, hint: string): Html {
  const described = hint === '' ? '' : html`aria-describedby="${name}-hint"`;
  const field = LONG_FIELDS.has(name)
    ? html`<textarea id="${name}" name="${name}" rows="3" ${described}>${value}</textarea>`
    : html`<input id="${name}" name="${name}" value="${value}" autocomplete="off" ${described} />`;
  return html`<div class="field">
    <label for="${name}">${words[TEXT_FIELDS[name]]}</label>
    ${field} ${hint === '' ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}

export function renderFlag(name: string, label: string, isSet: boolean): Html {
  return html`<div class="field">
    <label><input type="checkbox" name="${name}" value="1" ${isSet ? html`checked` : ''} />${label}</label>
  </div>`;
}

type Choices = readonly (readonly [value: string, label: string])[];

function wordsOf(words: EditorWords, choices: Readonly<Record<string, keyof EditorWords>>): Choices {
  return Object.entries(choices).map(([value, word]) => [value, words[word]]);
}

export function renderSelect(name: string, label: string, chosen: string, choices: Choices): Html {
  return html`<div>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${choices.map(
        ([value, text]) => html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${text}</option>`,
      )}
    </select>
  </div>`;
}
