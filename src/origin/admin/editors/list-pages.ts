import { html } from 'hono/html';
import { baseLanguage } from '#contracts/localized.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import { toSingleLine } from '#contracts/scan-text.ts';
import { NO_SEO_SETTINGS } from '#contracts/seo/settings.ts';
import { EDITORS_PATH, editPath } from '#origin/platform/site/editor-links.ts';
import type { HeadTexts } from '#origin/namespaces/seo/head/compose-head.ts';
import type { RowPage } from '#origin/platform/content/resources/find-rows.ts';
import { renderTable, type FormFields, type Html, type TableHead } from '#origin/platform/accounts/account-page.ts';
import {
  editorPageResponse,
  renderFormToken,
  errorPageResponse,
  renderProblems,
  redirectAfterPost,
  renderPaging,
  renderSearch,
  type EditorRequest,
  interpolate,
  type EditorTexts,
} from './editor-request.ts';
import {
  parseSettings,
  renderSelect,
  describeConflicts,
  findFormChanges,
  renderDisplayedDigests,
  type FieldValues,
} from './edit-page.ts';
import {
  loadEditedObject,
  loadDefaultTexts,
  saveSettings,
  type DraftChanges,
  type EditedObject,
  renderScore,
} from './edited-object.ts';
import {
  listEditableKinds,
  listLanguages,
  listObjects,
  orderOf,
  STATUSES,
  type Sort,
  parseListQuery,
  ROWS_PER_PAGE,
  formatStatus,
  type ListedObject,
  type ListQuery,
} from './object-list.ts';

/** `GET /`: lists objects with their scores. */
export async function getOverview(request: EditorRequest): Promise<Response> {
  const { words } = request;
  const query = parseListQuery(request, request.query);
  const list = await listObjects(request, query);
  const form = html`<form method="post" action="${EDITORS_PATH}/analyse?${search(query)}">
    ${query.links ? '' : html`<p><a href="${EDITORS_PATH}?${search({ ...query, links: '1' })}">${words.countLinks}</a></p>`}
    <p class="hint">${words.analyseHint}</p>
    ${renderFormToken(request)} <button class="button button--quiet">${words.analyse}</button>
  </form>`;
  const body = html`${renderList(request, query, EDITORS_PATH, list, renderObjects(request, query, list.rows))}
  ${list.rows.length === 0 ? '' : form}`;
  return editorPageResponse(request, { title: words.texts, body, section: 'texts' });
}

/** Renders a page of a list with its filter and links to other pages. */
function renderList(
  request: EditorRequest,
  query: ListQuery,
  path: string,
  { rows, total }: RowPage<ListedObject>,
  table: Html,
): Html {
  const { words } = request;
  const count = Number(request.query.get('count') ?? 'none');
  const notice = html`<p class="notice" role="status">${interpolate(words.savedMany, { count })}</p>`;
  return html`${Number.isInteger(count) ? notice : ''} ${renderFilter(request, query, path)}
  ${rows.length === 0 ? html`<p>${words.none}</p>` : table}
  ${renderPaging(words, { total, perPage: ROWS_PER_PAGE }, query.page, (page) => `${path}?${search(query, page)}`)}`;
}

/** `POST /analyse`: stores the scores of the listed rows. */
export async function postAnalysis(request: EditorRequest): Promise<Response> {
  const query = parseListQuery(request, request.query);
  let count = 0;
  for (const row of (await listObjects(request, query)).rows) {
    const object = await loadEditedObject(request, row.type, row.id);
    if (object && (await saveSettings(request, object)) === undefined) count++;
  }
  return redirectAfterPost(`${EDITORS_PATH}?${search(query)}&count=${count}`);
}

/** `GET /bulk`: shows titles and descriptions of many rows in one form. */
export async function getBulkPage(request: EditorRequest): Promise<Response> {
  const { words } = request;
  const query = parseListQuery(request, request.query);
  const list = await listObjects(request, query);
  const body = renderList(request, query, BULK_PATH, list, await renderBulk(request, query, list.rows));
  return editorPageResponse(request, { title: words.bulk, body, section: 'bulk' });
}

const BULK_PATH = `${EDITORS_PATH}/bulk`;
const BULK_FIELDS = ['title', 'description'] as const;

/** Fields of rows; each name ends with the ID of its row. */
function bulkFields(rows: readonly Pick<ListedObject, 'id' | 'settings'>[]): FieldValues {
  return Object.fromEntries(
    rows.flatMap(({ id, settings }) => BULK_FIELDS.map((name) => [`${name}-${id}`, toSingleLine(settings[name])])),
  );
}

/**
 * `POST /bulk`: saves the changed rows of the form, independently of the current list. Saves nothing if one of them is
 * invalid.
 */
export async function postBulkPage(request: EditorRequest, form: FormFields): Promise<Response> {
  const { words } = request;
  const query = parseListQuery(request, request.query);
  const ids = idsIn(form);
  if (ids.length > ROWS_PER_PAGE) return errorPageResponse(request, 413, words.tooLarge);
  const { rows } = await listObjects(request, parseListQuery(request, new URLSearchParams({ type: query.type })), ids);
  // A missing row counts as unchanged.
  const missing = ids.map((id) => ({ id, settings: NO_SEO_SETTINGS }));
  const stored = { ...bulkFields(missing), ...bulkFields(rows) };
  const { changed, conflicts } = findFormChanges(form, stored);
  const fields = { ...stored, ...Object.fromEntries(changed) };

  const changes: { name: string; object: EditedObject; settings: DraftChanges['settings'] }[] = [];
  const problems: string[] = [];
  for (const id of ids) {
    const fieldNames = BULK_FIELDS.filter((field) => changed.has(`${field}-${id}`));
    if (fieldNames.length === 0) continue;
    const name = rows.find((row) => row.id === id)?.name || `${words.untitled} (${id})`;
    const object = await loadEditedObject(request, query.type, id);
    const read = parseSettings(words, new Map(fieldNames.map((field) => [field, fields[`${field}-${id}`] ?? ''])));
    const contested = fieldNames.filter((field) => conflicts.includes(`${field}-${id}`));
    const currentValues = Object.fromEntries(fieldNames.map((field) => [field, stored[`${field}-${id}`] ?? '']));
    const found = object ? [...read.problems, ...describeConflicts(words, contested, currentValues)] : [words.notFound];
    problems.push(...found.map((problem) => `${name}: ${problem}`));
    if (object) changes.push({ name, object, settings: read.settings });
  }
  const isInvalid = problems.length > 0;
  for (const { name, object, settings } of isInvalid ? [] : changes) {
    const problem = await saveSettings(request, object, settings);
    if (problem !== undefined) problems.push(`${name}: ${problem === 'gone' ? words.notFound : words.conflict}`);
  }
  if (problems.length === 0) return redirectAfterPost(`${BULK_PATH}?${search(query)}&count=${changes.length}`);
  const body = html`${renderProblems(request, problems)} ${renderFilter(request, query, BULK_PATH)}
  ${await renderBulk(request, query, rows, fields)}`;
  const status = isInvalid && conflicts.length === 0 ? 422 : 409;
  return editorPageResponse(request, { title: words.bulk, body, section: 'bulk' }, status);
}

function idsIn(form: FormFields): number[] {
  const ids = Object.keys(form).flatMap((name) => /^(?:title|description)-(\d{1,15})$/.exec(name)?.[1] ?? []);
  return [...new Set(ids.map(Number))];
}

async function renderBulk(
  request: EditorRequest,
  query: ListQuery,
  rows: readonly ListedObject[],
  fields = bulkFields(rows),
): Promise<Html> {
  const { words } = request;
  const ids = rows.map(({ id }) => id);
  const defaults = await loadDefaultTexts(request, query.type, ids);
  return html`<form method="post" action="${BULK_PATH}?${search(query)}">
    ${renderFormToken(request)} ${renderDisplayedDigests(bulkFields(rows))}
    ${renderTable(
      words.bulk,
      [renderSort(query, BULK_PATH, 'title', words.name), words.seoTitle, words.description],
      rows.map((row) => renderBulkRow(words, row, defaults.get(row.id), fields)),
    )}
    <button class="button">${words.save}</button>
  </form>`;
}

/** Encodes a list query, optionally with another page. */
function search(query: ListQuery, page = query.page): string {
  const parts = Object.entries({ ...query, page }).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(parts.map(([name, value]) => [name, String(value)])).toString();
}

function renderFilter(request: EditorRequest, query: ListQuery, path: string): Html {
  const { words, context } = request;
  const any = ['', words.any] as const;
  const ranks = [any, ['bad', words.bad], ['ok', words.ok], ['good', words.good], ['na', words.notAnalysed]] as const;
  const statuses = STATUSES.map((status) => [status, words[status]] as const);
  const languages = listLanguages(context, query.type).map((code) => [code, nameLanguage(request, code)] as const);
  const missing = [['description', words.description] as const, ['focus_keyphrase', words.keyphrase] as const];
  const isFiltered = [query.status, query.missing, query.seo_filter, query.readability_filter].some(Boolean);
  const isContent = context.kinds.has(query.type);
  return html`<form class="filter" method="get" action="${path}" role="search">
    ${renderSelect('type', words.what, query.type, listEditableKinds(request))}
    ${languages.length === 0 ? '' : renderSelect('language', words.language, query.language ?? '', [any, ...languages])}
    ${renderSearch(words, query.s)}
    ${
      isContent
        ? html`<details ${isFiltered ? html`open` : ''}>
            <summary>${words.moreFilters}</summary>
            <div>
              ${renderSelect('status', words.status, query.status ?? '', [any, ...statuses])}
              ${renderSelect('missing', words.lacking, query.missing ?? '', [any, ...missing])}
              ${renderSelect('seo_filter', words.seo, query.seo_filter ?? '', [...ranks, ['noindex', words.notListed]])}
              ${renderSelect('readability_filter', words.readability, query.readability_filter ?? '', ranks)}
            </div>
          </details>`
        : ''
    }
    ${(['sort', 'order', 'links', 'author', 'category'] as const).map((name) =>
      query[name] === undefined ? '' : html`<input type="hidden" name="${name}" value="${query[name]}" />`,
    )}
  </form>`;
}

/** Name of a language in that of the pages. Regions are named where the language alone is ambiguous. */
function nameLanguage({ language, context }: EditorRequest, code: string): string {
  const base = baseLanguage(code);
  const isUnique = listLanguages(context, 'post').every((other) => other === code || baseLanguage(other) !== base);
  return new Intl.DisplayNames([language], { type: 'language' }).of(isUnique ? base : toBcp47(code)) ?? code;
}

/** Head of a column with a link that sorts by it, or reverses its order. */
function renderSort(query: ListQuery, path: string, sort: Sort, label: string): TableHead {
  const isSorted = query.sort === sort;
  const order = orderOf(query);
  const next = isSorted ? ({ asc: 'desc', desc: 'asc' } as const)[order] : undefined;
  const href = `${path}?${search({ ...query, sort, order: next }, 1)}`;
  return { label, href, sorted: isSorted ? ({ asc: 'ascending', desc: 'descending' } as const)[order] : undefined };
}

function renderObjects(request: EditorRequest, query: ListQuery, rows: readonly ListedObject[]): Html {
  const { words, language: uiLanguage, context } = request;
  const isContent = context.kinds.has(query.type);
  const head = (sort: Sort, label: string) => (isContent ? renderSort(query, EDITORS_PATH, sort, label) : label);
  const hasLanguages = listLanguages(context, query.type).length > 0;
  const date = new Intl.DateTimeFormat(uiLanguage, { dateStyle: 'medium', timeZone: 'UTC' });
  const format = (modified: string) => date.format(new Date(`${modified.replace(' ', 'T')}Z`));
  return renderTable(
    words.texts,
    [
      renderSort(query, EDITORS_PATH, 'title', words.name),
      ...(hasLanguages ? [words.language] : []),
      ...(isContent ? [head('status', words.status), head('date', words.modified)] : []),
      head('seo', words.seo),
      head('readability', words.readability),
      ...(query.links ? [words.incoming] : []),
    ],
    rows.map(({ settings, status, incoming, language, modified, ...row }) => [
      html`${renderLink(words, row, language)}
      ${settings.focus_keyphrase === '' ? '' : html`<small>${settings.focus_keyphrase}</small>`}`,
      ...(language === undefined ? [] : [nameLanguage(request, language)]),
      ...(isContent ? [formatStatus(words, status), format(modified)] : []),
      settings.focus_keyphrase === ''
        ? html`<span aria-hidden="true">–</span><span class="visually-hidden">${words.noKeyphrase}</span>`
        : renderScore(words, settings.seo_score),
      renderScore(words, settings.readability_score),
      ...(incoming === undefined ? [] : [incoming]),
    ]),
  );
}

function renderLink(words: EditorTexts, row: Pick<ListedObject, 'type' | 'id' | 'name'>, language?: string): Html {
  const lang = language === undefined ? '' : html`lang="${toBcp47(language)}"`;
  return html`<a href="${editPath(row)}" ${lang}>${row.name || words.untitled}</a>`;
}

function renderBulkRow(words: EditorTexts, row: ListedObject, defaults: HeadTexts | undefined, fields: FieldValues) {
  const name = row.name || words.untitled;
  const [title, description] = [`title-${row.id}`, `description-${row.id}`];
  const described = interpolate(words.descriptionFor, { name });
  return [
    renderLink(words, row),
    html`<input
      name="${title}"
      value="${fields[title]}"
      placeholder="${defaults?.title ?? ''}"
      aria-label="${interpolate(words.titleFor, { name })}"
      autocomplete="off"
    />`,
    // Browsers ignore the first line break in a text area.
    html`<textarea
      name="${description}"
      rows="3"
      placeholder="${defaults?.description ?? ''}"
      aria-label="${described}"
    >
${fields[description]}</textarea>`,
  ];
}
