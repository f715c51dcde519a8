import { EDITORS_PATH } from '#origin/namespaces/seo/editor-links.ts';
import { html } from 'hono/html';
import type { Html } from '#origin/platform/accounts/index.ts';
import { answerPage, formToken, renderProblem, type EditorCall } from './editor-call.ts';
import { readDraft, renderSelect } from './edit-page.ts';
import type { HeadTexts } from '#origin/namespaces/seo/head/head-page.ts';
import { draftOf, loadEdited, loadUsualTexts, reviewDraft, saveDraft } from './edited-object.ts';
import {
  editableKinds,
  listObjects,
  readListQuery,
  wordStatus,
  type ListedObject,
  type ListQuery,
  type ObjectList,
} from './object-list.ts';
import { renderScore } from './review-view.ts';
import { fill, type EditorWords } from './words/index.ts';

type Form = Readonly<Record<string, unknown>>;

/** `GET /`: what there is, with its scores. */
export async function showOverview(call: EditorCall): Promise<Response> {
  const { words } = call;
  const query = readListQuery(call.path);
  const list = await listObjects(call, query);
  const body = html`${renderNotice(call)} ${renderFilter(call, query, EDITORS_PATH)}
  ${list.rows.length === 0 ? html`<p>${words.none}</p>` : renderTable(words, list)}
  ${renderPaging(words, query, list, EDITORS_PATH)}
  ${
    list.rows.length === 0
      ? ''
      : html`<form method="post" action="${EDITORS_PATH}/analyse?${search(query)}">
          <p class="hint">${words.analyseHint}</p>
          ${formToken(call)} <button class="plain">${words.analyse}</button>
        </form>`
  }`;
  return answerPage(call, { title: words.overview, body, section: '/' });
}

/** `POST /analyse`: scores of the rows that a list shows are stored. */
export async function takeAnalysis(call: EditorCall): Promise<Response> {
  const query = readListQuery(call.path);
  let count = 0;
  for (const { type, id } of (await listObjects(call, query)).rows) {
    const object = await loadEdited(call, type, id);
    if (!object) continue;
    const draft = draftOf(object);
    const review = await reviewDraft(call, object, draft);
    if ((await saveDraft(call, object, draft, { review, modified: undefined })) === undefined) count++;
  }
  return leaveTo(`${EDITORS_PATH}?${search(query)}&count=${count}`);
}

/** `GET /bulk`: titles and descriptions of many rows in one form. */
export async function showBulk(call: EditorCall, problems: readonly string[] = [], form?: Form): Promise<Response> {
  const { words } = call;
  const path = `${EDITORS_PATH}/bulk`;
  const query = readListQuery(call.path);
  const list = await listObjects(call, query);
  const ids = list.rows.map(({ id }) => id);
  const usual = await loadUsualTexts(call, query.type, ids);
  const rows = list.rows.map((row) => renderBulkRow(words, row, usual.get(row.id), form));
  const body = html`${problems.length > 0 ? renderProblem(call, problems) : renderNotice(call)}
  ${renderFilter(call, query, path)}
  ${
    rows.length === 0
      ? html`<p>${words.none}</p>`
      : html`<form method="post" action="${path}?${search(query)}">
          ${formToken(call)}
          <div class="scroll" tabindex="0" role="region" aria-label="${words.bulk}">
            <table>
              <thead>
                <tr>
                  <th scope="col">${words.name}</th>
                  <th scope="col">${words.seoTitle}</th>
                  <th scope="col">${words.description}</th>
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
          </div>
          <button>${words.save}</button>
        </form>`
  }
  ${renderPaging(words, query, list, path)}`;
  return answerPage(call, { title: words.bulk, body, section: '/bulk' }, problems.length > 0 ? 422 : 200);
}

/** `POST /bulk`: saves the rows that were changed; none where one of them is not possible. */
export async function takeBulk(call: EditorCall, form: Form): Promise<Response> {
  const { words } = call;
  const query = readListQuery(call.path);
  const changes = [];
  const problems: string[] = [];
  for (const row of (await listObjects(call, query)).rows) {
    const sent = { title: form[`title-${row.id}`], description: form[`description-${row.id}`] };
    if (sent.title === undefined && sent.description === undefined) continue;
    const object = await loadEdited(call, row.type, row.id);
    if (!object) continue;
    const read = readDraft(words, object, sent);
    problems.push(...read.problems.map((problem) => `${row.name || words.untitled}: ${problem}`));
    const { settings } = read.draft;
    const isSame = settings.title === row.settings.title && settings.description === row.settings.description;
    if (!isSame) changes.push({ object, draft: read.draft });
  }
  if (problems.length > 0) return showBulk(call, problems, form);
  for (const { object, draft } of changes) {
    const review = await reviewDraft(call, object, draft);
    await saveDraft(call, object, draft, { review, modified: undefined });
  }
  return leaveTo(`${EDITORS_PATH}/bulk?${search(query)}&count=${changes.length}`);
}

function leaveTo(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } });
}

function renderNotice({ path, words }: EditorCall): Html | '' {
  const count = Number(new URL(path, 'http://x').searchParams.get('count') ?? 'none');
  return Number.isInteger(count) ? html`<p class="notice" role="status">${fill(words.savedMany, { count })}</p>` : '';
}

/** A list's query, with another page if wanted. */
function search(query: ListQuery, page = query.page): string {
  const parts = Object.entries({ ...query, page }).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(parts.map(([name, value]) => [name, String(value)])).toString();
}

function renderFilter(call: EditorCall, query: ListQuery, path: string): Html {
  const { words } = call;
  const ranks = [
    ['', words.any],
    ['bad', words.bad],
    ['ok', words.ok],
    ['good', words.good],
    ['na', words.notAnalysed],
  ] as const;
  const seoRanks = [...ranks, ['noindex', words.notListed] as const];
  return html`<form class="filter" method="get" action="${path}" role="search">
    ${renderSelect('type', words.what, query.type, editableKinds(call))}
    ${renderSelect('seo_filter', words.seo, query.seo_filter ?? '', seoRanks)}
    ${renderSelect('readability_filter', words.readability, query.readability_filter ?? '', ranks)}
    <div>
      <label for="s">${words.find}</label>
      <input id="s" name="s" type="search" value="${query.s}" maxlength="200" />
    </div>
    <button class="plain">${words.show}</button>
  </form>`;
}

function renderTable(words: EditorWords, { rows }: ObjectList): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${words.overview}">
    <table>
      <thead>
        <tr>
          <th scope="col">${words.name}</th>
          <th scope="col">${words.status}</th>
          <th scope="col">${words.keyphrase}</th>
          <th scope="col">${words.seo}</th>
          <th scope="col">${words.readability}</th>
          <th scope="col">${words.incoming}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ settings, status, incoming, ...row }) =>
            html`<tr>
              <th scope="row">${renderLink(words, row)}</th>
              <td>${wordStatus(words, status)}</td>
              <td>${settings.focus_keyphrase}</td>
              <td>${settings.focus_keyphrase === '' ? words.noKeyphrase : renderScore(words, settings.seo_score)}</td>
              <td>${renderScore(words, settings.readability_score)}</td>
              <td>${incoming ?? ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function renderLink(words: EditorWords, { type, id, name }: Pick<ListedObject, 'type' | 'id' | 'name'>): Html {
  return html`<a href="${EDITORS_PATH}/${encodeURIComponent(type)}/${id}">${name || words.untitled}</a>`;
}

function renderBulkRow(
  words: EditorWords,
  row: ListedObject,
  usual: HeadTexts | undefined,
  form: Form | undefined,
): Html {
  const name = row.name || words.untitled;
  const valueOf = (field: 'title' | 'description') => {
    const sent = form?.[`${field}-${row.id}`];
    return typeof sent === 'string' ? sent : row.settings[field];
  };
  return html`<tr>
    <th scope="row">${renderLink(words, row)}</th>
    <td>
      <input
        name="title-${row.id}"
        value="${valueOf('title')}"
        placeholder="${usual?.title ?? ''}"
        aria-label="${fill(words.titleFor, { name })}"
        autocomplete="off"
      />
    </td>
    <td>
      <textarea
        name="description-${row.id}"
        rows="3"
        placeholder="${usual?.description ?? ''}"
        aria-label="${fill(words.descriptionFor, { name })}"
      >
${valueOf('description')}</textarea>
    </td>
  </tr>`;
}

function renderPaging(words: EditorWords, query: ListQuery, { total, pages }: ObjectList, path: string): Html | '' {
  if (pages === 0) return '';
  const { page } = query;
  const link = (to: number, word: string) => html`<a href="${path}?${search(query, to)}">${word}</a>`;
  return html`<p>
    ${fill(words.found, { total, page, pages })} ${page > 1 ? link(page - 1, words.previous) : ''}
    ${page < pages ? link(page + 1, words.next) : ''}
  </p>`;
}
