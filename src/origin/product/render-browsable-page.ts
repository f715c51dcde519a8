import { STATUS_CODES } from 'node:http';
import { html, raw } from 'hono/html';
import { escapeHtml } from '#contracts/html/html-text.ts';
import { type Language, PRODUCT_ROOT, toBcp47 } from '#contracts/product/index.ts';
import type { Html } from '#origin/platform/accounts/account-page.ts';
import type { ProductRequest } from './authenticate-caller.ts';
import { parseLanguage } from './resolve-language.ts';
import { describeView } from './describe-view.ts';
import { encodeJson } from './encode-json.ts';
import type { ProductView } from './product-view.ts';

export interface BrowsablePage {
  view: ProductView;
  visit: ProductRequest;
  status: number;
  /** Headers of the same response as JSON. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** Languages to switch between; empty if the route has no language. */
  languages: readonly Language[];
}

/** Renders the browsable page of a response. */
export function renderBrowsablePage(browsable: BrowsablePage): Html {
  const { view, visit, status, headers, body } = browsable;
  const isUnauthenticated = !visit.caller && (status === 401 || status === 403);
  return html`${renderCrumbs(browsable)}
    <h1 lang="en">${view.name}</h1>
    <p class="muted" lang="en">${view.route.summary}.</p>
    ${isUnauthenticated ? renderInvitation(visit) : ''} ${renderTools(browsable)}
    <h2>Antwort</h2>
    <pre><span class="request">${visit.method} ${visit.target}</span>

<span class="request">HTTP ${status} ${STATUS_CODES[status] ?? ''}</span>
${renderHeaders(headers)}
${renderJson(body, linkRecord)}</pre>
    <details>
      <summary>OPTIONS: was diese Adresse kann</summary>
      <pre>${encodeJson(describeView(view), 4)}</pre>
    </details>`;
}

function renderHeaders(headers: BrowsablePage['headers']): (Html | string)[] {
  return Object.entries(headers).flatMap(([name, value]) => [html`<span class="k">${name}:</span> ${value}`, '\n']);
}

function renderCrumbs({ view, visit }: BrowsablePage): Html {
  const isRoot = view.route.path === '';
  return html`<nav class="crumbs" aria-label="Pfad">
    <ol>
      ${isRoot ? '' : html`<li><a href="/${PRODUCT_ROOT}">Produktschnittstelle</a></li>`}
      <li>
        <a href="${visit.target}" aria-current="page">${isRoot ? 'Produktschnittstelle' : lastStep(visit)}</a>
      </li>
    </ol>
  </nav>`;
}

function lastStep({ target }: ProductRequest): string {
  return target.slice(1 + PRODUCT_ROOT.length).split('?', 1)[0] ?? '';
}

function renderInvitation({ target }: ProductRequest): Html {
  return html`<p>
    Diese Adresse verlangt ein Token oder eine
    <a href="/admin/sign-in/?next=${encodeURIComponent(target)}">Anmeldung</a>.
  </p>`;
}

function renderTools({ view, visit, languages }: BrowsablePage): Html {
  return html`<div class="tools">
    <nav aria-label="Form der Antwort">
      <ul>
        <li><a href="${visit.target}">GET</a></li>
        ${view.renderers.map(({ format }) => html`<li><a href="${withQuery(visit, 'format', format)}">${format}</a></li>`)}
      </ul>
    </nav>
    ${languages.length === 0 ? '' : renderLanguages(visit, languages)}
  </div>`;
}

function renderLanguages(visit: ProductRequest, languages: readonly Language[]): Html {
  const chosen = parseLanguage(visit.query);
  return html`<nav aria-label="Sprache">
    <ul>
      ${languages.map(({ code, name }) => {
        const current = code === chosen ? html`aria-current="true"` : '';
        return html`<li>
          <a href="${withQuery(visit, 'language', code)}" lang="${toBcp47(code)}" ${current}>${name}</a>
        </li>`;
      })}
    </ul>
  </nav>`;
}

function withQuery({ target, query }: ProductRequest, name: string, value: string): string {
  const changed = new URLSearchParams(query);
  changed.set(name, value);
  return `${target.split('?', 1)[0]}?${changed}`;
}

/** Links the GTINs of listed products to their records. */
function linkRecord(key: string, text: string): string | undefined {
  return key === 'gtin' && /^\d{13}$/.test(text) ? `/${PRODUCT_ROOT}product/${text}/` : undefined;
}

/**
 * Renders JSON indented and coloured, with web addresses as links. Values are escaped.
 *
 * @param linkOf Returns the address for a key and value, or undefined.
 */
export function renderJson(value: unknown, linkOf: (key: string, text: string) => string | undefined): Html {
  return raw(renderValue(value, '', '', linkOf));
}

type LinkOf = Parameters<typeof renderJson>[1];

function renderValue(value: unknown, key: string, indent: string, linkOf: LinkOf): string {
  if (typeof value === 'string') return renderText(value, linkOf(key, value) ?? webAddress(value));
  if (typeof value !== 'object' || value === null) return `<span class="n">${escape(JSON.stringify(value))}</span>`;
  const deeper = `${indent}    `;
  if (Array.isArray(value)) {
    return renderMembers(
      '[',
      ']',
      indent,
      value.map((item) => renderValue(item, key, deeper, linkOf)),
    );
  }
  const members = Object.entries(value).map(
    ([name, member]) =>
      `<span class="k">${escape(JSON.stringify(name))}</span>: ${renderValue(member, name, deeper, linkOf)}`,
  );
  return renderMembers('{', '}', indent, members);
}

function renderMembers(open: string, close: string, indent: string, members: readonly string[]): string {
  if (members.length === 0) return open + close;
  const lines = members.map((member) => `\n${indent}    ${member}`);
  return `${open}${lines.join(',')}\n${indent}${close}`;
}

function renderText(text: string, address: string | undefined): string {
  const escaped = escape(JSON.stringify(text));
  if (address === undefined) return `<span class="s">${escaped}</span>`;
  return `<a class="s" href="${escape(address)}" rel="nofollow">${escaped}</a>`;
}

/** Returns http(s) addresses only, so that a record can't link to `javascript:`. URL templates are not linked. */
function webAddress(text: string): string | undefined {
  return /^https?:\/\/[^\s{}]+$/i.test(text) && URL.canParse(text) ? text : undefined;
}

function escape(text: string): string {
  return escapeHtml(text).replaceAll("'", '&#39;');
}
