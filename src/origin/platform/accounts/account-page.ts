import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { BrowserSession } from './sessions.ts';
import { deriveKey } from './sealed-texts.ts';
import type { Context } from 'hono';

/** Form fields by name. The last value wins if a name occurs several times. */
export type FormFields = Readonly<Record<string, unknown>>;

/**
 * Reasons for rejecting a form: too many bytes or fields, aborted, or long without a valid token at its beginning.
 */
type FormProblem = 'tooLarge' | 'unreadable' | 'unsigned';

export interface FormVariables {
  Variables: { form: FormFields };
}

interface FormLimits {
  maxBytes: number;
  /**
   * Checks the token at the beginning of a long form before the rest is read. Callers check short forms themselves.
   */
  isToken?: (token: unknown) => boolean;
}

export const TOKEN_FIELD = 'form_token';

/** Maximum number of fields. The largest form has about half as many. */
const MAX_FORM_FIELDS = 200;

/** Bytes within which the token must appear, and maximum size of multipart forms, which no page sends. */
const START_BYTES = 64 * 1024;

const AMPERSAND = 38;

/** Reads a form body. Fields are counted while they arrive, as parsing time grows with the square of their number. */
export async function readForm(c: Context, limits: FormLimits): Promise<FormFields | FormProblem> {
  const contentType = c.req.header('content-type') ?? '';
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') {
    const body = await readBody(c, limits, new FieldCheck(limits));
    return typeof body === 'string' ? body : Object.fromEntries(new URLSearchParams(body.toString()));
  }
  const body = await readBody(c, { maxBytes: Math.min(limits.maxBytes, START_BYTES) });
  if (typeof body === 'string' || type !== 'multipart/form-data') return typeof body === 'string' ? body : {};
  try {
    const fields = [...(await new Response(body, { headers: { 'content-type': contentType } }).formData())];
    return fields.length > MAX_FORM_FIELDS ? 'tooLarge' : Object.fromEntries(fields);
  } catch {
    return 'unreadable';
  }
}

async function readBody(
  { req }: Context,
  { maxBytes }: FormLimits,
  check?: FieldCheck,
): Promise<Buffer<ArrayBuffer> | FormProblem> {
  const { body, headers } = req.raw;
  if (Number(headers.get('content-length') ?? 0) > maxBytes) return 'tooLarge';
  // A single buffer, as chunks may be as small as one byte.
  const form = new ArrayBuffer(0, { maxByteLength: maxBytes });
  try {
    for await (const chunk of body?.values({ preventCancel: true }) ?? []) {
      const bytes = form.byteLength;
      if (bytes + chunk.byteLength > maxBytes) return 'tooLarge';
      form.resize(bytes + chunk.byteLength);
      new Uint8Array(form, bytes).set(chunk);
      const problem = check?.findProblem(chunk, form);
      if (problem) return problem;
    }
  } catch {
    // The client aborted the request.
    return 'unreadable';
  }
  return Buffer.from(form.transferToFixedLength());
}

class FieldCheck {
  readonly #isToken: FormLimits['isToken'];
  #fields = 1;
  #isStartChecked: boolean;

  constructor({ isToken }: FormLimits) {
    this.#isToken = isToken;
    this.#isStartChecked = isToken === undefined;
  }

  /** @param form all bytes received so far */
  findProblem(chunk: Uint8Array, form: ArrayBuffer): FormProblem | undefined {
    for (let at = chunk.indexOf(AMPERSAND); at >= 0; at = chunk.indexOf(AMPERSAND, at + 1)) {
      this.#fields += 1;
      if (this.#fields > MAX_FORM_FIELDS) return 'tooLarge';
    }
    if (this.#isStartChecked || form.byteLength < START_BYTES) return undefined;
    this.#isStartChecked = true;
    const start = Buffer.from(form, 0, START_BYTES).toString();
    return this.#isToken?.(new URLSearchParams(start).get(TOKEN_FIELD)) ? undefined : 'unsigned';
  }
}

/** Style sheet of every HTML page of the origin. It is inlined and allowed by its hash. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f6f3, #16191c);
  --surface: light-dark(#ffffff, #1f2428);
  --ink: light-dark(#1c2226, #e9ecee);
  --muted: light-dark(#545e65, #a9b3ba);
  --line: light-dark(#d5d2ca, #3a4248);
  --accent: light-dark(#0b5f59, #6fd0c5);
  --on-accent: light-dark(#ffffff, #0c2321);
  --alarm: light-dark(#9a1f1f, #ff9d94);
  --string: light-dark(#6a3d00, #e5c07b);
  --number: light-dark(#0b4f8a, #8cc8ff);
}
* { box-sizing: border-box; }
body {
  margin: 0; min-block-size: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; inset-inline-start: -99rem; }
.skip:focus { inset-inline-start: 1rem; inset-block-start: .5rem; background: var(--surface); padding: .5rem 1rem; }
.bar, main, .foot { inline-size: min(100%, 68rem); margin-inline: auto; padding-inline: 1.25rem; }
.bar {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.5rem;
  padding-block: .9rem; border-block-end: 1px solid var(--line);
}
.bar .brand { font-weight: 700; letter-spacing: -.01em; color: var(--ink); text-decoration: none; }
.account { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; color: var(--muted); }
main { flex: 1; padding-block: 1.75rem 3rem; }
h1 { font-size: clamp(1.5rem, 1.2rem + 1.5vw, 2.1rem); line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .75rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.25rem 0 .6rem; }
p { max-inline-size: 44rem; margin: 0 0 .9rem; }
.muted { color: var(--muted); }
.narrow { max-inline-size: 25rem; margin-inline: auto; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: .6rem; padding: 1.25rem 1.4rem; }
.field { margin-block-end: 1rem; }
label { display: block; font-weight: 600; margin-block-end: .3rem; }
input:not([type=hidden]) {
  inline-size: 100%; padding: .6rem .7rem; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--muted); border-radius: .35rem;
}
input[aria-invalid=true] { border-color: var(--alarm); }
button {
  font: inherit; font-weight: 600; padding: .6rem 1.1rem; min-block-size: 2.75rem; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .35rem;
}
button.plain { color: var(--accent); background: none; padding: .3rem .7rem; min-block-size: 2.25rem; }
.wide button { inline-size: 100%; }
form { margin: 0; }
.alert { border-inline-start: .3rem solid var(--alarm); background: var(--surface); padding: .8rem 1rem; margin-block-end: 1.2rem; }
.alert h2 { margin: 0 0 .2rem; font-size: 1rem; color: var(--alarm); }
.alert p { margin: 0; }
.crumbs ol { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem .5rem; padding: 0; margin: 0 0 1rem; }
.crumbs li + li::before { content: '›'; color: var(--muted); margin-inline-end: .5rem; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; margin-block-end: 1rem; }
.tools ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem .9rem; padding: 0; margin: 0; }
.tools [aria-current] { font-weight: 700; text-decoration: none; color: var(--ink); }
pre, code { font: .875rem/1.6 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
pre {
  margin: 0 0 1rem; padding: 1rem 1.2rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--surface); border: 1px solid var(--line); border-radius: .6rem;
}
code.token { font-size: 1rem; overflow-wrap: anywhere; user-select: all; }
.request { font-weight: 700; }
.k { color: var(--ink); font-weight: 600; } .s { color: var(--string); } .n { color: var(--number); }
.scroll { overflow-x: auto; margin-block-end: 1rem; }
table { border-collapse: collapse; inline-size: 100%; background: var(--surface); }
th, td { text-align: start; vertical-align: top; padding: .45rem .7rem; border-block-end: 1px solid var(--line); }
thead th { border-block-end-width: 2px; }
tbody th { font-weight: 400; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.2rem; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
.foot { padding-block: 1rem; border-block-start: 1px solid var(--line); color: var(--muted); font-size: .9rem; }
@media print { .bar, .tools, .foot, form { display: none; } }
`;

/** Markup whose interpolated values are escaped. */
export type Html = ReturnType<typeof html>;

/** Renders a table in a region that scrolls. The first cell of a row is its header. */
export function renderTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (Html | string | number)[])[],
  caption?: string,
): Html {
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
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([header, ...cells]) =>
            html`<tr>
              <th scope="row">${header}</th>
              ${cells.map((cell) => html`<td>${cell}</td> `)}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
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
  /** Class of the body. */
  className?: string;
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
  const { language, words, head = '', className = '' } = page.frame ?? GERMAN_FRAME;
  const markup = await html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title} – Sortiment</title>
        ${raw(`<style>${PAGE_STYLE}</style>`)} ${head}
      </head>
      <body class="${className}">
        <a class="skip" href="#inhalt">${words.skip}</a>
        <header class="bar">
          <a class="brand" href="/admin/">Sortiment</a>
          <div class="account">${renderAccount(context, page)}</div>
        </header>
        <main id="inhalt">${page.body}</main>
        <footer class="foot">${words.foot}</footer>
      </body>
    </html> `;
  return String(markup);
}

function renderAccount(context: OriginContext, { session, path, frame = GERMAN_FRAME }: Page): Html | '' {
  if (path === undefined) return '';
  if (!session) return html`<a href="/admin/sign-in/?next=${encodeURIComponent(path)}">Anmelden</a>`;
  return html`<span>${frame.words.signedInAs} ${session.user.name}</span>
    <form method="post" action="/admin/sign-out/">
      <input type="hidden" name="form_token" value="${signForm(context, 'sign-out', session.id)}" />
      <input type="hidden" name="next" value="${path}" />
      <button class="plain">${frame.words.signOut}</button>
    </form>`;
}

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** Returns a Content-Security-Policy that allows the inline style sheet and form submissions only. */
function policy(formTargets: readonly string[]): string {
  const targets = ["'self'", ...formTargets].join(' ');
  return `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`;
}

/**
 * Returns a Content-Security-Policy for pages with the origin's style sheet, script and images. @param pictures
 * further image sources
 */
export function scriptedPolicy(pictures: readonly string[] = []): string {
  const imageSources = ["'self'", ...pictures].join(' ');
  const sources = `style-src 'self' 'sha256-${STYLE_HASH}'; script-src 'self'; connect-src 'self'; img-src ${imageSources}`;
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
