import { createHash } from 'node:crypto';
import * as contract from '#contracts/product/index.ts';
import { pageResponse, renderPage, type Html } from '#origin/platform/accounts/account-page.ts';
import { matchesEtag } from '#origin/platform/cache/response-cache.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import {
  type ProductCaller,
  type ProductRequest,
  type Representation,
  JSON_RENDERER,
  SAFE_METHODS,
  type ProductView,
} from './product-request.ts';
import { findLanguages, parseLanguage } from './find-product.ts';
import { STATUS_CODES } from 'node:http';
import { html, raw } from 'hono/html';
import { escapeHtml } from '#contracts/html/html-text.ts';

/**
 * Converts a stored record to its wire form: all fields in the contract's order, with absolute links. Decimals follow
 * the option `decimals`. Missing fields get the empty value of the contract.
 */
export function presentProduct(context: OriginContext, record: contract.ProductRecord): contract.ProductRecord {
  const presented: Record<string, unknown> = {};
  for (const [field, present] of PRESENTERS) presented[field] = present(context, record[field]);
  return presented as contract.ProductRecord;
}

/** Decimal places of decimals that are sent as text. Quantities of units are integers and stay numbers. */
const PLACES: ReadonlyMap<contract.ProductField, number> = new Map([
  ['price', 2] as const,
  ...contract.DIMENSION_FIELDS.map((field) => [field, 3] as const),
]);

const LIST_ITEMS: Partial<Record<contract.ProductField, readonly string[]>> = {
  attributes: Object.keys(contract.attribute.shape),
  materials: Object.keys(contract.material.shape),
};

type Presenter = (context: OriginContext, value: unknown) => unknown;

/** Creates the presenter of a field once, so that an export doesn't look up the contract for every record. */
function presenterOf(field: contract.ProductField): Presenter {
  if (contract.product.shape[field].meta()?.['format'] === 'uri') return presentLink;
  const empty = emptyOf(field);
  const places = PLACES.get(field);
  const keys = LIST_ITEMS[field];
  const isQuantity = contract.getFieldUnit(field).unit !== undefined;
  return (context, value) => {
    if (value === undefined || value === null) return empty;
    if (keys && Array.isArray(value)) return value.map((item: Record<string, unknown>) => pick(item, keys));
    return isQuantity ? presentNumber(context, value, places) : value;
  };
}

/** Makes links to the origin's own files absolute. They are stored as paths below its public address. */
function presentLink({ publicUrl }: OriginContext, value: unknown): string {
  if (typeof value !== 'string' || value === '') return '';
  return /^[a-z][a-z\d+.-]*:/i.test(value) ? value : `${publicUrl}/${value.replace(/^\/+/, '')}`;
}

function presentNumber(context: OriginContext, value: unknown, places: number | undefined): unknown {
  const isText = context.product.decimals !== 'number' && places !== undefined;
  if (!isText && typeof value === 'number') return value;
  const read = contract.decimal.safeParse(value);
  if (!read.success) return value;
  if (!isText) return read.data.value;
  // Add zeros but never remove digits: declared values must not be rounded.
  const [whole = '', fraction = ''] = read.data.text.split('.');
  return `${whole}.${fraction.padEnd(places, '0')}`;
}

function pick(item: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, item[key] ?? '']));
}

/** Returns the wire value of a missing field: `null`, `""` or `[]`, depending on the contract. */
function emptyOf(field: contract.ProductField): unknown {
  const read = contract.product.shape[field].safeParse(undefined);
  return (read.success ? read.data : undefined) ?? null;
}

const PRESENTERS = contract.PRODUCT_FIELDS.map((field) => [field, presenterOf(field)] as const);

interface ViewResponse {
  status: number;
  /** The value to render, or a finished response without the common headers. */
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Renders a view's response in the negotiated format, with the common headers. */
export async function respondWithView(
  context: OriginContext,
  view: ProductView,
  visit: ProductRequest,
  { renderer, indent }: Representation,
  { status, body, headers: viewHeaders }: ViewResponse,
): Promise<Response> {
  const headers = { ...commonHeaders(context, visit.caller), ...viewHeaders };
  if (body instanceof Response) {
    for (const [name, value] of Object.entries(headers)) if (!body.headers.has(name)) body.headers.set(name, value);
    return body;
  }
  const isPage = renderer.mediaType === 'text/html';
  const text = isPage
    ? await renderBrowsablePage(context, view, visit, { status, body, headers })
    : encodeJson(body, indent);
  const isValidated = context.product.validators && status === 200 && visit.method === 'GET';
  // A strong ETag with MD5, as servers of this kind send. It has no security purpose.
  const etag = isValidated ? `"${createHash('md5').update(text).digest('hex')}"` : undefined;
  if (etag !== undefined && matchesEtag(etag, visit.header('if-none-match')))
    return new Response(null, { status: 304, headers: { ETag: etag, Vary: headers.Vary, 'Content-Length': '0' } });
  const allHeaders = { ...headers, ...(etag !== undefined && { ETag: etag }) };
  if (isPage) return pageResponse(text, status, allHeaders);
  return new Response(text, {
    status,
    headers: {
      'Content-Type': JSON_RENDERER.mediaType,
      'Content-Length': String(Buffer.byteLength(text)),
      'X-Content-Type-Options': 'nosniff',
      ...allHeaders,
    },
  });
}

/** Builds the common headers of a view. Responses to a cookie are private to that browser. */
function commonHeaders(context: OriginContext, caller: ProductCaller | undefined) {
  const isByCookie = caller?.session !== undefined;
  const isCookieAsked = isByCookie || context.product.authentication === 'session-first';
  return {
    Allow: SAFE_METHODS.join(', '),
    Vary: isCookieAsked ? 'Accept, Cookie' : 'Accept',
    ...(isByCookie && { 'Cache-Control': 'private' }),
  };
}

/** Renders a page that shows the same response as JSON, with its headers. */
async function renderBrowsablePage(
  context: OriginContext,
  view: ProductView,
  visit: ProductRequest,
  { status, body, headers }: Required<ViewResponse>,
): Promise<string> {
  const { method, target, caller } = visit;
  const shownHeaders = { 'Content-Type': JSON_RENDERER.mediaType, ...headers };
  const hasLanguage = 'language' in (view.route.query?.shape ?? {});
  const languages = hasLanguage && caller ? await findLanguages(context) : [];
  const isUnauthenticated = !caller && (status === 401 || status === 403);
  const page = html`${renderCrumbs(view, target)}
    <h1 lang="en">${view.name}</h1>
    <p class="muted" lang="en">${view.route.summary}.</p>
    ${
      isUnauthenticated
        ? html`<p>
            Diese Adresse verlangt ein Token oder eine
            <a href="/admin/sign-in/?next=${encodeURIComponent(target)}">Anmeldung</a>.
          </p>`
        : ''
    }
    <div class="tools">
      <nav aria-label="Form der Antwort">
        <ul>
          <li><a href="${target}">GET</a></li>
          ${view.renderers.map(({ format }) => html`<li><a href="${withQuery(visit, 'format', format)}">${format}</a></li>`)}
        </ul>
      </nav>
      ${languages.length === 0 ? '' : renderLanguages(visit, languages)}
    </div>
    <h2>Antwort</h2>
    <pre><span class="request">${method} ${target}</span>

<span class="request">HTTP ${status} ${STATUS_CODES[status] ?? ''}</span>
${Object.entries(shownHeaders).flatMap(([name, value]) => [html`<span class="k">${name}:</span> ${value}`, '\n'])}
${raw(renderValue(body, '', ''))}</pre>
    <details>
      <summary>OPTIONS: was diese Adresse kann</summary>
      <pre>${encodeJson(describeView(view), 4)}</pre>
    </details>`;
  return renderPage(context, { title: view.name, body: page, session: caller?.session, path: target });
}

function renderCrumbs({ route }: ProductView, target: string): Html {
  const isRoot = route.path === '';
  const step = target.slice(1 + contract.PRODUCT_ROOT.length).split('?', 1)[0];
  return html`<nav class="breadcrumb" aria-label="Pfad">
    <ol>
      ${isRoot ? '' : html`<li><a href="/${contract.PRODUCT_ROOT}">Produktschnittstelle</a></li>`}
      <li>
        <a href="${target}" aria-current="page">${isRoot ? 'Produktschnittstelle' : step}</a>
      </li>
    </ol>
  </nav>`;
}

function renderLanguages(visit: ProductRequest, languages: readonly contract.Language[]): Html {
  const chosen = parseLanguage(visit.query);
  return html`<nav aria-label="Sprache">
    <ul>
      ${languages.map(({ code, name }) => {
        const current = code === chosen ? html`aria-current="true"` : '';
        return html`<li>
          <a href="${withQuery(visit, 'language', code)}" lang="${contract.toBcp47(code)}" ${current}>${name}</a>
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

/** Renders JSON indented and coloured, with GTINs and web addresses as links. Values are escaped. */
function renderValue(value: unknown, key: string, indent: string): string {
  if (typeof value === 'string') return renderText(value, key);
  if (typeof value !== 'object' || value === null) return `<span class="n">${escape(JSON.stringify(value))}</span>`;
  const deeper = `${indent}    `;
  if (Array.isArray(value)) {
    const items = value.map((item) => renderValue(item, key, deeper));
    return renderMembers('[', ']', indent, items);
  }
  const members = Object.entries(value).map(
    ([name, member]) => `<span class="k">${escape(JSON.stringify(name))}</span>: ${renderValue(member, name, deeper)}`,
  );
  return renderMembers('{', '}', indent, members);
}

function renderMembers(open: string, close: string, indent: string, members: readonly string[]): string {
  if (members.length === 0) return open + close;
  const lines = members.map((member) => `\n${indent}    ${member}`);
  return `${open}${lines.join(',')}\n${indent}${close}`;
}

function renderText(text: string, key: string): string {
  const escaped = escape(JSON.stringify(text));
  const isGtin = key === 'gtin' && /^\d{13}$/.test(text);
  // Only http(s), so that a record can't link to `javascript:`. URL templates are not linked.
  const isLink = /^https?:\/\/[^\s{}]+$/i.test(text) && URL.canParse(text);
  const address = isGtin ? `/${contract.PRODUCT_ROOT}product/${text}/` : text;
  if (!isGtin && !isLink) return `<span class="s">${escaped}</span>`;
  return `<a class="s" href="${escape(address)}" rel="nofollow">${escaped}</a>`;
}

function escape(text: string): string {
  return escapeHtml(text).replaceAll("'", '&#39;');
}

/** Encodes JSON as the interface does: compact by default, escaping only characters that break scripts. */
export function encodeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

export function describeView({ name, route, renderers }: ProductView): Record<string, unknown> {
  return {
    name,
    description: `${route.summary}.`,
    renders: renderers.map(({ mediaType }) => mediaType),
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  };
}
