import type { Context } from 'hono';
import { html } from 'hono/html';
import { type AdviceLanguage, ADVICE_LANGUAGES } from '#analysis/types.ts';
import { EDITORS_PATH, PICTURES_PATH } from '#origin/platform/site/editor-links.ts';
import { findSession } from '#origin/platform/accounts/sessions.ts';
import {
  isFormTokenValid,
  signForm,
  pageResponse,
  renderPage,
  renderProblem,
  scriptedPolicy,
  type Html,
  TOKEN_FIELD,
} from '#origin/platform/accounts/account-page.ts';
import { type OriginContext, Memo } from '#origin/platform/context/origin-context.ts';
import { can, createCaller } from '#origin/platform/http/callers/caller.ts';
import type { Right } from '#origin/platform/registry/rights.ts';
import { removeUnstorable } from '#origin/platform/http/transport/rest-request.ts';
import english from './texts/english.json' with { type: 'json' };
import french from './texts/french.json' with { type: 'json' };
import german from './texts/german.json' with { type: 'json' };

const FORM = 'editors';

/** A request of a signed-in user for one of the editors' pages. */
export type EditorRequest = NonNullable<Awaited<ReturnType<typeof readEditorRequest>>>;

/** Reads the request's session; undefined if the browser isn't signed in. */
export async function readEditorRequest(context: OriginContext, c: Context) {
  const session = await findSession(context, c.req.header('cookie'));
  if (!session) return undefined;
  const language = chooseEditorLanguage(session.user.locale, c.req.header('accept-language'));
  const { pathname, search, searchParams } = new URL(c.req.url);
  return {
    context,
    session,
    caller: createCaller(session.user, context),
    language,
    words: EDITOR_TEXTS[language],
    requestMemo: new Memo(),
    path: pathname + search,
    // Removes NUL characters: the store can't search for them.
    query: new URLSearchParams([...searchParams].map(([name, value]) => [name, removeUnstorable(value)])),
  };
}

export function renderFormToken({ context, session }: EditorRequest): Html {
  return html`<input type="hidden" name="${TOKEN_FIELD}" value="${signForm(context, FORM, session.id)}" />`;
}

export function isValidFormToken({ context, session }: EditorRequest, token: unknown): boolean {
  return isFormTokenValid(context, FORM, session.id, token);
}

/** Pages of the navigation by the key of their name, some with a required right. */
const SECTIONS = [
  ['/admin/', 'todo'],
  [EDITORS_PATH, 'texts'],
  [`${EDITORS_PATH}/bulk`, 'bulk'],
  [PICTURES_PATH, 'pictures', 'manage_options'],
  ['/admin/account/', 'account'],
] as const satisfies readonly (readonly [path: string, word: keyof EditorTexts, needs?: Right])[];

export async function editorPageResponse(
  request: EditorRequest,
  { title, body, section }: { title: string; body: Html; section?: (typeof SECTIONS)[number][1] },
  status = 200,
): Promise<Response> {
  const { context, words, language, session, path } = request;
  const links = SECTIONS.map(([to, word, needs]) => {
    if (needs !== undefined && !can(request.caller, needs)) return '';
    const current = word === section ? html`aria-current="page"` : '';
    return html`<li><a href="${to}" ${current}>${words[word]}</a></li>`;
  });
  const page = await renderPage(context, {
    title,
    session,
    path,
    frame: {
      language,
      words,
      nav: html`<nav class="site-nav" aria-label="${words.sections}">
        <ul>
          ${links}
        </ul>
      </nav>`,
      head: html`<link rel="stylesheet" href="${EDITORS_PATH}/editors.css" />
        <script type="module" src="${EDITORS_PATH}/editors.js"></script>`,
    },
    body: html`<h1>${title}</h1>
      ${body}`,
  });
  const policy = scriptedPolicy([new URL(context.publicUrl).origin]);
  return pageResponse(page, status, { 'Cache-Control': 'no-store', 'Content-Security-Policy': policy });
}

export function renderProblems({ words }: EditorRequest, sentences: readonly string[]): Html {
  return renderProblem(words.failed, ...sentences);
}

export function redirectAfterPost(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' } });
}

export function errorPageResponse(request: EditorRequest, status: number, sentence: string): Promise<Response> {
  const body = html`${renderProblems(request, [sentence])}
    <p><a href="${EDITORS_PATH}">${request.words.back}</a></p>`;
  return editorPageResponse(request, { title: request.words.failed, body }, status);
}

/** Texts of the editors' pages, with placeholders in braces. */
export type EditorTexts = Readonly<Record<keyof typeof english | keyof typeof french | keyof typeof german, string>>;

export const EDITOR_TEXTS: Readonly<Record<AdviceLanguage, EditorTexts>> = { de: german, en: english, fr: french };

/** Chooses the language of the pages: the account's, then the browser's, then German as on account pages. */
function chooseEditorLanguage(locale: string | null, acceptLanguage: string | undefined): AdviceLanguage {
  const requested = [locale ?? '', ...(acceptLanguage ?? '').slice(0, 200).split(',')].map((tag) =>
    tag.trim().slice(0, 2).toLowerCase(),
  );
  const chosen = requested.find((code) => ADVICE_LANGUAGES.some((language) => language === code));
  return ADVICE_LANGUAGES.find((language) => language === chosen) ?? 'de';
}

export function interpolate(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (gap, name: string) => String(values[name] ?? gap));
}

export const MAX_SEARCH_LENGTH = 200;

export function renderSearch(words: EditorTexts, value: string): Html {
  return html`<div>
      <label for="s">${words.find}</label>
      <input id="s" name="s" type="search" value="${value}" maxlength="${MAX_SEARCH_LENGTH}" />
    </div>
    <button class="button button--quiet">${words.show}</button>`;
}

/** Renders the number of matches, with links to the previous and the next page. */
export function renderPaging(
  words: EditorTexts,
  { total, perPage }: { total: number; perPage: number },
  page: number,
  addressOf: (page: number) => string,
): Html | '' {
  if (total === 0) return '';
  const pages = Math.ceil(total / perPage);
  const link = (to: number, word: string) => html`<a href="${addressOf(to)}">${word}</a>`;
  return html`<p>
    ${interpolate(words.found, { total, page, pages })}
    ${page > 1 ? link(Math.min(page - 1, pages), words.previous) : ''} ${page < pages ? link(page + 1, words.next) : ''}
  </p>`;
}
