import { html } from 'hono/html';
import { toSingleLine, tryParse } from '#contracts/scan-text.ts';
import { MAX_CONTENT_LENGTH, MAX_LINE_LENGTH, MAX_NAME_LENGTH } from '#contracts/core/field.ts';
import { seoSettingsBody, type SeoSettings } from '#contracts/seo/settings.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_KEYPHRASE_LENGTH, MAX_TITLE_LENGTH } from '#contracts/seo/head-values.ts';
import { editPath } from '#origin/platform/site/editor-links.ts';
import { canEditProtectedSettings, EDITOR_SETTINGS } from '#origin/namespaces/seo/settings.ts';
import type { Html, FormFields } from '#origin/platform/accounts/account-page.ts';
import { RestError } from '#origin/platform/http/transport/rest-error.ts';
import {
  editorPageResponse,
  renderFormToken,
  errorPageResponse,
  renderProblems,
  redirectAfterPost,
  type EditorRequest,
  interpolate,
  type EditorTexts,
} from './editor-request.ts';
import {
  createDraft,
  loadEditedObject,
  reviewDraft,
  saveDraft,
  type Draft,
  type EditedObject,
  type DraftReview,
  renderReview,
} from './edited-object.ts';
import { hash } from 'node:crypto';

/** Displayed field values by name; an unchecked box is empty. */
export type FieldValues = Readonly<Record<string, string>>;

/** Hidden field with digests of the values that the form was rendered with. */
const SHOWN = 'shown';
/** Maximum length of its value. Parsing JSON is slow, and a list page needs only a third of this. */
const MAX_SHOWN_LENGTH = 8 * 1024;

export function renderDisplayedDigests(fields: FieldValues): Html {
  const digests = Object.entries(fields).map(([name, value]) => [name, digest(value)]);
  return html`<input type="hidden" name="${SHOWN}" value="${JSON.stringify(Object.fromEntries(digests))}" />`;
}

/**
 * Finds the fields that the user has changed. Values that are submitted as they were displayed are unchanged, even if
 * another user has changed them since.
 *
 * @param stored values that the form would display now
 */
export function findFormChanges(form: FormFields, stored: FieldValues) {
  const json = stringOrEmpty(form[SHOWN]);
  const displayed = new Map<string, unknown>(
    Object.entries((json.length > MAX_SHOWN_LENGTH ? undefined : tryParse(json)) ?? {}),
  );
  const changed = new Map<string, string>();
  const conflicts: string[] = [];
  for (const [name, value] of Object.entries(stored)) {
    const submitted = form[name];
    if (typeof submitted !== 'string') continue;
    const [now, after] = [digest(value), digest(submitted)];
    const before = displayed.get(name) ?? now;
    if (after === now || after === before) continue;
    changed.set(name, submitted);
    // Another user has changed it too since the form was rendered.
    if (before !== now) conflicts.push(name);
  }
  return { changed, conflicts };
}

/** Digests a text independently of line breaks, which browsers change. */
function digest(value: string): string {
  return hash('sha256', value.replaceAll(/\r\n?/g, '\n'), 'base64url').slice(0, 16);
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

interface SettingField {
  /** Key of its label. */
  label: keyof EditorTexts;
  most?: number;
  kind?: 'long' | 'address' | 'flag';
}

const SETTING_FIELDS = {
  focus_keyphrase: { label: 'keyphrase', most: MAX_KEYPHRASE_LENGTH },
  title: { label: 'seoTitle', most: MAX_TITLE_LENGTH },
  description: { label: 'description', most: MAX_DESCRIPTION_LENGTH, kind: 'long' },
  og_title: { label: 'ogTitle', most: MAX_TITLE_LENGTH },
  og_description: { label: 'ogDescription', most: MAX_DESCRIPTION_LENGTH, kind: 'long' },
  og_image: { label: 'ogImage', kind: 'address' },
  canonical: { label: 'canonical', kind: 'address' },
  redirect: { label: 'redirect', kind: 'address' },
  breadcrumb_title: { label: 'breadcrumb', most: MAX_TITLE_LENGTH },
  nofollow: { label: 'nofollow', kind: 'flag' },
  is_cornerstone: { label: 'cornerstone', kind: 'flag' },
  index: { label: 'index' },
} as const satisfies { [Setting in keyof SeoSettings]?: SettingField };
type Setting = keyof typeof SETTING_FIELDS;
const SETTINGS: readonly (SettingField & { name: string })[] = Object.entries(SETTING_FIELDS).map(([name, field]) => ({
  name,
  ...field,
}));

/** Content fields of the form: name, column, key of the label, maximum length. */
const CONTENT_FIELDS = [
  ['name', 'title', 'name', MAX_LINE_LENGTH],
  ['slug', 'slug', 'slug', MAX_NAME_LENGTH],
  ['content', 'content', 'text', MAX_CONTENT_LENGTH],
] as const;

const INDEX_CHOICES = { default: 'indexDefault', index: 'indexYes', noindex: 'indexNo' } as const;
const TEXT_LANGUAGES = { de: 'german', en: 'english', fr: 'french', und: 'other' } as const;

/** `GET <type>/<id>`: renders the form with the stored values. */
export function getEditPage(request: EditorRequest, object: EditedObject): Promise<Response> {
  const notice = request.query.has('saved') ? request.words.saved : '';
  return respondWithForm(request, object, { draft: createDraft(object), fields: fieldsOf(request, object), notice });
}

/** `POST <type>/<id>`: saves the form, or previews the result. */
export async function postEditPage(
  request: EditorRequest,
  object: EditedObject,
  form: FormFields,
  isSecondTry = false,
): Promise<Response> {
  const { words } = request;
  const { draft, fields, problems, isConflict } = readForm(request, object, form);
  if (problems.length > 0)
    return respondWithForm(request, object, { draft, fields, problems, status: isConflict ? 409 : 422 });
  if (form['action'] !== 'save') return respondWithForm(request, object, { draft, fields, notice: words.checked });
  const review = await reviewDraft(request, object, draft);
  try {
    const problem = await saveDraft(request, object, draft, review);
    if (problem === undefined) return redirectAfterPost(`${editPath(object)}?saved`);
    const now = problem === 'changed' ? await loadEditedObject(request, object.type, object.id) : undefined;
    if (!now) return await errorPageResponse(request, 404, words.notFound);
    if (!isSecondTry) return await postEditPage(request, now, form, true);
    return await respondWithForm(request, now, { draft, fields, problems: [words.conflict], review, status: 409 });
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const reason = interpolate(words.refused, { reason: error.message });
    return respondWithForm(request, object, { draft, fields, problems: [reason], review, status: 422 });
  }
}

/** `POST <type>/<id>/check`: renders previews and advice for the script. */
export async function postCheck(request: EditorRequest, object: EditedObject, form: FormFields): Promise<Response> {
  const { draft } = readForm(request, object, form);
  const body = String(await renderReview(request, await reviewDraft(request, object, draft)));
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  return new Response(body, { headers: { ...headers, 'X-Content-Type-Options': 'nosniff' } });
}

/** Returns the form's fields from the stored values. */
function fieldsOf({ caller }: EditorRequest, { row, page }: EditedObject): FieldValues {
  const settings = SETTINGS.filter(({ name }) => canEditProtectedSettings(caller) || !EDITOR_SETTINGS.has(name));
  return {
    ...(row ? { name: toSingleLine(row.title), slug: row.slug, content: row.content } : {}),
    ...Object.fromEntries(settings.map(({ name }) => [name, fieldOf(page.settings[name as Setting])])),
  };
}

function fieldOf(value: SeoSettings[keyof SeoSettings]): string {
  if (typeof value === 'boolean') return value ? '1' : '';
  return toSingleLine(String(value));
}

function readForm(request: EditorRequest, object: EditedObject, form: FormFields) {
  const { words, caller } = request;
  const stored = fieldsOf(request, object);
  const { changed, conflicts } = findFormChanges(form, stored);
  const { settings, problems } = parseSettings(words, changed);
  const texts: Record<string, string> = {};
  for (const [field, column, word, most] of CONTENT_FIELDS) {
    const value = changed.get(field);
    if (value === undefined) continue;
    if (value.length > most) problems.push(interpolate(words.tooLong, { field: words[word], most }));
    else texts[column] = field === 'slug' ? value.trim() : value;
  }
  if (!canEditProtectedSettings(caller)) {
    const barred = SETTINGS.filter(({ name }) => EDITOR_SETTINGS.has(name) && stringOrEmpty(form[name]) !== '');
    problems.push(...barred.map(({ label }) => interpolate(words.onlyEditors, { field: words[label] })));
  }
  const language = stringOrEmpty(form['language']);
  return {
    draft: createDraft(object, { texts, settings }, Object.hasOwn(TEXT_LANGUAGES, language) ? language : undefined),
    fields: { ...stored, ...Object.fromEntries(changed) },
    problems: [...problems, ...describeConflicts(words, conflicts, stored)],
    isConflict: conflicts.length > 0,
  };
}

/** Parses the changed settings. Invalid ones are reported and left out. */
export function parseSettings(words: EditorTexts, changed: ReadonlyMap<string, string>) {
  const settings: Partial<SeoSettings> = {};
  const problems: string[] = [];
  for (const { name, label, kind, most } of SETTINGS) {
    const value = changed.get(name);
    if (value === undefined) continue;
    const read = seoSettingsBody.safeParse({ [name]: kind === 'flag' ? value !== '' : toSingleLine(value) });
    const problem = kind === 'address' ? words.noAddress : most === undefined ? words.wrong : words.tooLong;
    if (read.success) Object.assign(settings, read.data);
    else problems.push(interpolate(problem, { field: words[label], most: most ?? 0 }));
  }
  return { settings, problems };
}

/** Maximum length of another user's value in a conflict message. */
const SHOWN_LETTERS = 300;

/** Describes edit conflicts with the values that are stored now. */
export function describeConflicts(words: EditorTexts, conflicts: readonly string[], stored: FieldValues): string[] {
  if (conflicts.length === 0) return [];
  const names = new Map<string, keyof EditorTexts>([
    ...SETTINGS.map((field) => [field.name, field.label] as const),
    ...CONTENT_FIELDS.map(([field, , word]) => [field, word] as const),
  ]);
  const currentValues = conflicts.map((name) => {
    const field = words[names.get(name) ?? 'name'];
    return interpolate(words.theirs, { field, value: (stored[name] ?? '').slice(0, SHOWN_LETTERS) });
  });
  return [words.conflict, ...currentValues];
}

interface FormState {
  draft: Draft;
  fields: FieldValues;
  notice?: string;
  problems?: readonly string[];
  review?: DraftReview;
  status?: number;
}

async function respondWithForm(
  request: EditorRequest,
  object: EditedObject,
  { draft, fields, notice = '', problems = [], review, status = 200 }: FormState,
): Promise<Response> {
  const { words } = request;
  const currentReview = review ?? (await reviewDraft(request, object, draft));
  const name = object.page.name || words.untitled;
  const path = editPath(object);
  const body = html`${problems.length > 0 ? renderProblems(request, problems) : ''}
    ${notice === '' ? '' : html`<p class="notice" role="status">${notice}</p>`}
    <p><a href="${object.page.url}">${words.openPage}</a></p>
    <div class="two">
      <form method="post" action="${path}" data-check="${path}/check">
        ${renderFormToken(request)} ${renderDisplayedDigests(fieldsOf(request, object))}
        ${renderFields(words, fields, draft.language, problems.length > 0)}
      </form>
      <section aria-labelledby="result-title">
        <h2 id="result-title">${words.result}</h2>
        <p class="visually-hidden" id="summary" role="status"></p>
        <div id="result">${renderReview(request, currentReview)}</div>
      </section>
    </div>`;
  return editorPageResponse(request, { title: name, body }, status);
}

/** Renders the fields that the user may edit. The advanced sections are open if the form has problems. */
function renderFields(words: EditorTexts, fields: FieldValues, language: string, isOpen: boolean): Html {
  const open = isOpen ? html`open` : '';
  const text = (name: Setting, hint = '') => renderText(words, name, fields[name], hint);
  const flag = (name: Setting) => renderCheckbox(name, words[SETTING_FIELDS[name].label], fields[name] === '1');
  return html`<fieldset>
      <legend>${words.search}</legend>
      ${text('focus_keyphrase', words.keyphraseHint)} ${text('title', words.emptyFollows)} ${text('description')}
    </fieldset>
    ${fields['content'] === undefined ? '' : renderContent(words, fields)}
    <details ${open}>
      <summary>${words.sharing}</summary>
      ${text('og_title', words.emptyFollows)} ${text('og_description', words.emptyFollows)} ${text('og_image')}
    </details>
    <details ${open}>
      <summary>${words.advanced}</summary>
      ${fields['index'] === undefined ? '' : renderSelect('index', words.index, fields['index'], wordsOf(words, INDEX_CHOICES))}
      ${flag('nofollow')} ${flag('is_cornerstone')} ${text('breadcrumb_title')}
      ${text('canonical', words.canonicalHint)} ${text('redirect', words.redirectHint)}
    </details>
    <div class="field">${renderSelect('language', words.textLanguage, language, wordsOf(words, TEXT_LANGUAGES))}</div>
    <div class="buttons">
      <button class="button" name="action" value="save">${words.save}</button>
      <button name="action" value="check" class="button button--quiet">${words.check}</button>
    </div>`;
}

function renderContent(words: EditorTexts, { name, slug, content }: FieldValues): Html {
  const nameInput = renderInput('name', name, html`maxlength="${MAX_LINE_LENGTH}"`);
  const slugInput = renderInput('slug', slug, html`maxlength="${MAX_NAME_LENGTH}" autocapitalize="none"`);
  const text = html`<textarea class="code" id="content" name="content" aria-describedby="content-hint" rows="20">
${content}</textarea>`;
  return html`<fieldset>
    <legend>${words.content}</legend>
    ${renderField('name', words.name, nameInput)} ${renderField('slug', words.slug, slugInput)}
    ${renderField('content', words.text, text, words.textHint)}
  </fieldset>`;
}

function renderField(name: string, label: string, control: Html, hint = ''): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control} ${hint === '' ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}

function renderInput(name: string, value: string | undefined, attributes: Html | ''): Html {
  return html`<input id="${name}" name="${name}" value="${value}" autocomplete="off" ${attributes} />`;
}

function renderText(words: EditorTexts, name: Setting, value: string | undefined, hint: string): Html | '' {
  if (value === undefined) return '';
  const described = hint === '' ? '' : html`aria-describedby="${name}-hint"`;
  const { label, kind }: SettingField = SETTING_FIELDS[name];
  const control =
    kind === 'long'
      ? html`<textarea id="${name}" name="${name}" rows="3" ${described}>${value}</textarea>`
      : renderInput(name, value, described);
  return renderField(name, words[label], control, hint);
}

/** Renders a checkbox. An unchecked one is sent as an empty value. */
export function renderCheckbox(name: string, label: string, isSet: boolean): Html {
  return html`<div class="field">
    <input type="hidden" name="${name}" value="" />
    <label><input type="checkbox" name="${name}" value="1" ${isSet ? html`checked` : ''} />${label}</label>
  </div>`;
}

type Choices = readonly (readonly [value: string, label: string])[];

function wordsOf(words: EditorTexts, choices: Readonly<Record<string, keyof EditorTexts>>): Choices {
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
