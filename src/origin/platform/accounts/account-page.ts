import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { OriginBrand, OriginContext } from '#origin/platform/context/origin-context.ts';
import type { BrowserSession } from './sessions.ts';
import { pageStyle } from './page-style.ts';
import { deriveKey } from './sealed-texts.ts';
import type { Context } from 'hono';
import { boundedBody } from '#origin/platform/http/transport/read-body.ts';
import { RestError } from '#origin/platform/http/transport/rest-error.ts';

/** Form fields by name. The last value wins if a name occurs several times. */
export type FormFields = Readonly<Record<string, unknown>>;

/**
 * Reasons for rejecting a form: too many bytes or fields, aborted, or long without a valid token at its beginning.
 */
type FormProblem = 'tooLarge' | 'unreadable' | 'unsigned';

export interface FormVariables {
  Variables: { form: FormFields };
}

export const TOKEN_FIELD = 'form_token';

/** Maximum number of fields. The largest form has about half as many. */
const MAX_FORM_FIELDS = 200;

/** Bytes within which the token must appear, and maximum size of multipart forms, which no page sends. */
const START_BYTES = 64 * 1024;

const AMPERSAND = 38;

/**
 * Reads a form body. Fields are counted while they arrive, as parsing time grows with the square of their number.
 *
 * @param isToken checks the token at the beginning of a long form before the rest is read; callers check short forms
 */
export async function readForm(
  c: Context,
  { maxBytes, isToken }: { maxBytes: number; isToken?: (token: unknown) => boolean },
): Promise<FormFields | FormProblem> {
  const contentType = c.req.header('content-type') ?? '';
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  const isEncoded = type === 'application/x-www-form-urlencoded';
  const limit = isEncoded ? maxBytes : Math.min(maxBytes, START_BYTES);
  // A single buffer, as chunks may be as small as one byte.
  const body = new ArrayBuffer(0, { maxByteLength: limit });
  let count = 1;
  try {
    for await (const chunk of boundedBody({ request: c.req.raw }, limit)) {
      const bytes = body.byteLength;
      body.resize(bytes + chunk.byteLength);
      new Uint8Array(body, bytes).set(chunk);
      if (!isEncoded) continue;
      for (let at = chunk.indexOf(AMPERSAND); at >= 0; at = chunk.indexOf(AMPERSAND, at + 1)) count += 1;
      if (count > MAX_FORM_FIELDS) return 'tooLarge';
      const isStart = bytes < START_BYTES && body.byteLength >= START_BYTES;
      if (isStart && isToken?.(parseFields(body.slice(0, START_BYTES)).get(TOKEN_FIELD)) === false) return 'unsigned';
    }
    if (isEncoded) return Object.fromEntries(parseFields(body));
    if (type !== 'multipart/form-data') return {};
    const sent = new Response(body.slice(), { headers: { 'content-type': contentType } });
    const fields = [...(await sent.formData())];
    return fields.length > MAX_FORM_FIELDS ? 'tooLarge' : Object.fromEntries(fields);
  } catch (error) {
    // Other errors are aborted requests and invalid multipart forms.
    return error instanceof RestError ? 'tooLarge' : 'unreadable';
  }
}

function parseFields(body: ArrayBuffer): URLSearchParams {
  return new URLSearchParams(Buffer.from(body).toString());
}

/** Markup whose interpolated values are escaped. */
export type Html = ReturnType<typeof html>;

/** Head of a column, with the link that sorts by it. */
export interface TableHead {
  label: string;
  href?: string;
  sorted?: 'ascending' | 'descending' | undefined;
}

/**
 * Renders a table in a region that scrolls; on phones each row is a list. The first cell of a row is its header.
 */
export function renderTable(
  label: string,
  columns: readonly (string | TableHead)[],
  rows: readonly (readonly (Html | string | number)[])[],
  caption?: string,
): Html {
  const heads = columns.map((head): TableHead => (typeof head === 'string' ? { label: head } : head));
  return html`<section class="scroll" aria-label="${label}" tabindex="0">
    <table>
      ${
        caption === undefined
          ? ''
          : html`<caption>
              ${caption}
            </caption>`
      }
      <thead>
        <tr>
          ${heads.map(renderHead)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([header, ...cells]) =>
            html`<tr>
              <th scope="row">${header}</th>
              ${cells.map((cell, i) => html`<td data-label="${heads[i + 1]?.label}">${cell}</td> `)}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function renderHead({ label, href, sorted }: TableHead): Html {
  const sort = sorted === undefined ? '' : html`aria-sort="${sorted}"`;
  const arrow = sorted === 'ascending' ? '↑' : '↓';
  const mark = sorted === undefined ? '' : html`<span aria-hidden="true"> ${arrow}</span>`;
  return html`<th scope="col" ${sort}>${href === undefined ? label : html`<a href="${href}">${label}${mark}</a>`}</th>`;
}

/** Renders an error message. Invalid inputs refer to it by its ID. */
export function renderProblem(heading: string, ...sentences: readonly string[]): Html {
  return html`<div class="notice" role="alert" id="problem">
    <h2>${heading}</h2>
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
  </div>`;
}

/** Responds with an account page that only shows an error. */
export async function errorPage(
  context: OriginContext,
  status: number,
  message: string,
  { heading = 'Konto', ...headers }: { heading?: string } & Record<string, string> = {},
): Promise<Response> {
  const body = html`<h1>${heading}</h1>
    ${renderProblem('Das ging nicht', message)}
    <p><a href="/admin/account/">Zum Konto</a></p>`;
  return pageResponse(await renderPage(context, { title: 'Fehler', body }), status, headers);
}

export interface Page {
  title: string;
  body: Html;
  /** Session of the browser. With one, the header shows the user's name and a sign-out button. */
  session?: BrowserSession | undefined;
  /** Path and query of the page, to return to after signing in or out. Without it, the header offers neither. */
  path?: string;
  /** Language, labels and head of the page. @default German, without further elements in the head */
  frame?: PageFrame;
}

export interface PageFrame {
  language: string;
  words: Readonly<Record<'skip' | 'signedInAs' | 'signOut' | 'foot', string>>;
  /** Further elements of the head. */
  head?: Html;
  /** Navigation in the header. */
  nav?: Html;
}

const GERMAN_FRAME: PageFrame = {
  language: 'de',
  words: {
    skip: 'Zum Inhalt',
    signedInAs: 'Angemeldet als',
    signOut: 'Abmelden',
    foot: 'Sortiment: Produktdaten und Inhalte aus eigener Hand.',
  },
};

/** Renders a complete HTML document around the given body. */
export async function renderPage(context: OriginContext, page: Page): Promise<string> {
  const { language, words, head = '', nav = '' } = page.frame ?? GERMAN_FRAME;
  const { brand } = context;
  const markup = await html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title} – ${brand?.name ?? 'Sortiment'}</title>
        ${raw(`<style>${pageStyle(brand?.accent)}</style>`)} ${head}
      </head>
      <body>
        <a class="skip-link" href="#inhalt">${words.skip}</a>
        <header class="site-header">
          <div class="wrap">
            <a class="brand" href="/admin/">${renderBrand(brand)}</a>
            ${nav}
            <div class="account">${renderAccount(context, page)}</div>
          </div>
        </header>
        <main id="inhalt" class="wrap">${page.body}</main>
        <footer class="foot"><div class="wrap">${words.foot}</div></footer>
      </body>
    </html> `;
  return String(markup);
}

const MARK = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
  <path fill="currentColor" d="M1 21 9.5 4 14 13l-4 8z"></path>
  <path class="brand__accent" d="m12 21 5.5-11L23 21z"></path>
</svg>`;

function renderBrand(brand: OriginBrand | undefined): Html {
  const { name, logo, showsName } = brand ?? { name: 'Sortiment', showsName: true };
  if (!logo) return html`${MARK} ${name}`;
  return html`<picture>
      <source srcset="/admin/logo/dark" media="(prefers-color-scheme: dark)" />
      <img class="brand__logo" src="/admin/logo/light" alt="${showsName ? '' : name}" />
    </picture>
    ${showsName ? name : ''}`;
}

function renderAccount(context: OriginContext, { session, path, frame = GERMAN_FRAME }: Page): Html | '' {
  if (path === undefined) return '';
  if (!session) return html`<a href="/admin/sign-in/?next=${encodeURIComponent(path)}">Anmelden</a>`;
  return html`<span><span class="visually-hidden">${frame.words.signedInAs}</span> ${session.user.name}</span>
    <form method="post" action="/admin/sign-out/">
      <input type="hidden" name="form_token" value="${signForm(context, 'sign-out', session.id)}" />
      <input type="hidden" name="next" value="${path}" />
      <button class="button button--quiet">${frame.words.signOut}</button>
    </form>`;
}

/** Placeholder in policies for the hash of the style sheet, which contains the accent colour of the catalogue. */
const STYLE_HASH = '<style>';

/** Returns a Content-Security-Policy that allows the inline style sheet and form submissions only. */
function policy(formTargets: readonly string[]): string {
  const targets = ["'self'", ...formTargets].join(' ');
  return `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; font-src 'self'; img-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`;
}

/**
 * Returns a Content-Security-Policy for pages with the origin's style sheet, script and images. @param pictures
 * further image sources
 */
export function scriptedPolicy(pictures: readonly string[] = []): string {
  const imageSources = ["'self'", ...pictures].join(' ');
  const sources = `style-src 'self' 'sha256-${STYLE_HASH}'; font-src 'self'; script-src 'self'; connect-src 'self'; img-src ${imageSources}`;
  return `default-src 'none'; ${sources}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

/**
 * Creates the response for a page of `renderPage`, with security headers. Given headers override them.
 *
 * @param formTargets further form targets, redirects included: origins, or schemes with their colon
 */
export function pageResponse(
  markup: string,
  status = 200,
  headers: HeadersInit = {},
  formTargets: readonly string[] = [],
): Response {
  const allHeaders = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(markup)),
    'Content-Security-Policy': policy(formTargets),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  });
  for (const [name, value] of new Headers(headers)) {
    if (name === 'set-cookie') allHeaders.append(name, value);
    else allHeaders.set(name, value);
  }
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(markup) ?? [];
  const contentPolicy = allHeaders.get('Content-Security-Policy') ?? '';
  allHeaders.set('Content-Security-Policy', contentPolicy.replace(STYLE_HASH, hash('sha256', style, 'base64')));
  return new Response(markup, { status, headers: allHeaders });
}

/**
 * Creates the hidden token of a form (a signed double submit, OWASP's CSRF cheat sheet). Only the origin can create
 * it, and it is valid only together with the bound cookie.
 *
 * @param form Operation of the form, such as `sign-out`. A token is valid for one operation.
 * @param binding Value that only the right browser has: its session ID or its pre-session cookie.
 */
export function signForm(context: OriginContext, form: string, binding: string): string {
  return createHmac('sha256', deriveKey(context.key, 'form')).update(`${form}\n${binding}`).digest('base64url');
}

/** Returns true if the submitted token matches the one of `signForm`. */
export function isFormTokenValid(context: OriginContext, form: string, binding: string, token: unknown): boolean {
  if (typeof token !== 'string' || binding === '') return false;
  const expected = Buffer.from(signForm(context, form, binding));
  const actual = Buffer.from(token);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
