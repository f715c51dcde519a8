import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { hasStockNames } from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { editorPages, startPage } from '#origin/admin/editors/editor-pages.ts';
import { managementApp } from '#origin/admin/management/management-app.ts';
import type { Html } from '#origin/platform/accounts/account-page.ts';
import { accountPages } from '#origin/platform/accounts/account-pages.ts';
import { AUTHORIZATION_PATH, STOCK_AUTHORIZATION_PATH } from '#origin/platform/accounts/authorization.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { EDITORS_PATH } from '#origin/platform/site/editor-links.ts';
import { logError } from '#origin/platform/store/log-error.ts';
import { productInterface } from '#origin/product/product-interface.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { MODULES } from './modules.ts';
import { openApiPages } from './openapi/openapi-pages.ts';
import { publishingInterface, createPublishingRoutes } from './publishing/publishing-interface.ts';
import { getMimeType } from 'hono/utils/mime';
import { DEFAULT_CACHE_BYTES, matchesEtag, responseCache } from '#origin/platform/cache/response-cache.ts';
import type { FileStore, OpenFile, ByteRange } from '#origin/platform/files/file-store.ts';
import { FILE_TYPES, type FileType } from '#contracts/podcast/media-names.ts';
import { tryDecode } from '#contracts/scan-text.ts';

const TITLES: Readonly<Record<number, readonly [string, string]>> = {
  404: ['Not Found', 'There is no page at this address.'],
  405: ['Method Not Allowed', 'This address is read-only.'],
  500: ['Server Error', 'Something went wrong. The server log has the details.'],
};

function errorPage(status: number, headers: Record<string, string> = {}): Response {
  const [title, sentence] = TITLES[status] ?? ['Error', ''];
  return smallPage(title, html`<p>${sentence}</p>`, status, headers);
}

/** Renders a page without styles. */
function smallPage(title: string, body: Html, status: number, headers: Record<string, string>, head?: Html): Response {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        ${head ?? ''}
        <title>${title}</title>
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html> `;
  return new Response(String(page), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  });
}

/** Link relation with which clients discover the publishing interface. */
const REST_RELATION = 'https://api.w.org/';

/** Creates the server with both interfaces, the account pages, the files and the management endpoint. */
export function createOrigin(
  context: OriginContext,
  modules: readonly NamespaceModule[] = MODULES,
  cacheBytes = DEFAULT_CACHE_BYTES,
): Hono {
  const app = new Hono();
  app.use(responseCache(context.store.writes, cacheBytes));
  app.route(`/${PRODUCT_ROOT.replace(/\/$/, '')}`, productInterface(context));
  app.route(EDITORS_PATH, editorPages(context));
  app.get('/admin/', startPage(context));
  app.route('/admin', accountPages(context));
  if (hasStockNames(context.namespaces)) {
    app.get(STOCK_AUTHORIZATION_PATH, (c) => c.redirect(AUTHORIZATION_PATH + new URL(c.req.url).search, 302));
  }
  app.route('/manage/v1', managementApp(context));
  for (const [folder, files] of Object.entries(context.files)) app.mount(`/${folder}`, serveFiles(files).fetch);
  const routes = createPublishingRoutes(context, modules);
  app.get('/healthz', () => reportHealth(context));
  app.route('/', openApiPages(context, routes, modules));
  app.route('/', publishingInterface(context, modules, routes));
  app.get('/', () => frontPage(context));
  app.notFound(() => errorPage(404));
  app.onError((error, c) => {
    logError(context.log, `[${c.req.method}] "${c.req.path}" failed`, error);
    return errorPage(500);
  });
  return app;
}

const HEALTH_TIMEOUT_MS = 5000;

/** Responds with 200 if the store answers a query in time, otherwise with 503. */
async function reportHealth({ store, log }: OriginContext): Promise<Response> {
  const isWell = await Promise.race([
    store.db.execute(sql`select 1`).then(
      () => true,
      (error: unknown) => {
        logError(log, 'The store is not responding', error);
        return false;
      },
    ),
    new Promise<false>((resolve) => void setTimeout(() => resolve(false), HEALTH_TIMEOUT_MS).unref()),
  ]);
  const [status, code] = isWell ? (['ok', 200] as const) : (['unavailable', 503] as const);
  return Response.json({ status }, { status: code, headers: { 'Cache-Control': 'no-store' } });
}

async function frontPage(context: OriginContext): Promise<Response> {
  const { name } = await loadSite({ context });
  const title = name === '' ? 'Origin' : name;
  const rest = `${context.publicUrl}/${context.restRoot}/`;
  const links = html`<ul>
    <li><a href="${rest}">Publishing interface</a></li>
    <li><a href="${context.publicUrl}/${PRODUCT_ROOT}">Product interface</a></li>
    <li><a href="${context.publicUrl}/admin/">Accounts and tokens</a></li>
  </ul>`;
  const head = html`<meta name="robots" content="noindex" /> <link rel="${REST_RELATION}" href="${rest}" />`;
  return smallPage(title, links, 200, { Link: `<${rest}>; rel="${REST_RELATION}"` }, head);
}

/** Longest extension first, so that `chapters.json` matches before `json`. */
const LONGEST_FIRST = FILE_TYPES.toSorted((a, b) => b.extension.length - a.extension.length);
const READ_BY_PLAYERS: ReadonlySet<string | undefined> = new Set(['transcript', 'captions', 'chapters']);

/** Serves files by GET and HEAD, with validators and ranges. Dot files and paths outside the folder are not served. */
export function serveFiles(files: FileStore): Hono {
  const app = new Hono();
  app.on(['GET', 'HEAD'], '*', async (c) => {
    const path = readPath(new URL(c.req.url).pathname);
    const file = path === undefined ? undefined : await files.open(path);
    if (path === undefined || file === undefined) return errorPage(404);
    try {
      return await respond(c.req.raw, file, path);
    } catch (error) {
      await file.close();
      throw error;
    }
  });
  app.all('*', () => errorPage(405, { Allow: 'GET, HEAD' }));
  return app;
}

/** Responds with a file, and closes it when the body was sent or aborted. */
async function respond({ method, headers: requestHeaders }: Request, file: OpenFile, path: string): Promise<Response> {
  const { bytes, modifiedAt, etag } = file;
  const headers = describeFile(path, etag, modifiedAt);
  const finish = async (status: number) => {
    await file.close();
    return new Response(null, { status, headers });
  };
  if (isNotModified(requestHeaders, etag, modifiedAt)) return finish(304);
  headers.set('Accept-Ranges', 'bytes');
  headers.set('Content-Type', typeOf(path));

  const range = canUseRange(requestHeaders, etag, modifiedAt)
    ? readRange(requestHeaders.get('range') ?? undefined, bytes)
    : undefined;
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${bytes}`);
    return finish(416);
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  headers.set('Content-Length', String(end - start + 1));
  if (range) headers.set('Content-Range', `bytes ${start}-${end}/${bytes}`);
  const status = range ? 206 : 200;
  if (method === 'HEAD' || bytes === 0) return finish(status);
  return new Response(await file.stream(range), { status, headers });
}

function describeFile(path: string, etag: string, modified: Date): Headers {
  const headers = new Headers({
    ETag: etag,
    'Last-Modified': modified.toUTCString(),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
  // Players on other sites load these files (CORS).
  if (READ_BY_PLAYERS.has(episodeFileType(path)?.kind)) headers.set('Access-Control-Allow-Origin', '*');
  // Files that browsers would run as documents of this site are sandboxed.
  if (/^(text\/html|image\/svg|text\/xml|application\/(xml|xhtml))/.test(typeOf(path))) {
    headers.set('Content-Security-Policy', "sandbox; default-src 'none'");
  }
  return headers;
}

/** Returns the media type. Episode files have the type that feeds declare, because players reject others. */
function typeOf(path: string): string {
  const type = episodeFileType(path)?.mimeType;
  if (type === undefined) return getMimeType(path) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

function episodeFileType(path: string): FileType | undefined {
  return LONGEST_FIRST.find(({ extension }) => path.toLowerCase().endsWith(`.${extension}`));
}

/** `If-Range` allows a range only if the file is still the one that the client started to read. */
function canUseRange(requestHeaders: Headers, etag: string, modified: Date): boolean {
  const condition = requestHeaders.get('if-range');
  return condition === null || condition === etag || condition === modified.toUTCString();
}

/** Returns the path of an address below the folder; undefined for paths that are never served. */
function readPath(urlPath: string): string | undefined {
  const path = tryDecode(urlPath)?.replace(/^\/+/, '');
  return path === undefined || path === '' || /\0|\\|(^|\/)\./.test(path) ? undefined : path;
}

/** True if the client's copy is current: by `If-None-Match` if present, otherwise by `If-Modified-Since`. */
function isNotModified(headers: Headers, etag: string, modified: Date): boolean {
  const ifNoneMatch = headers.get('if-none-match');
  if (ifNoneMatch !== null) return matchesEtag(etag, ifNoneMatch);
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return !Number.isNaN(since) && Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

/**
 * Parses a `Range` header (RFC 9110, section 14). Returns undefined to send everything, as for several ranges or
 * another unit, which a server may ignore.
 */
function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}
