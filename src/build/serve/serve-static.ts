import { readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { getMimeType } from 'hono/utils/mime';
import { basePath, hostPath, sitePath, stripBasePath, stripSitePath } from '#catalogue/addresses/site-paths.ts';
import { DIGITAL_LINK_QUALIFIERS } from '#catalogue/addresses/paths.ts';
import { MEDIA_FILES } from '#contracts/index.ts';
import { resolveBelow, ignoreMissing } from '#files/built-files.ts';
import { headerRules, matchHeaders } from '#generated/hosts/header-rules.ts';
import { readRedirects } from '#generated/hosts/hosts.ts';
import { encodeTarget } from '#generated/redirects/redirects.ts';
import { sendFile, sendUnavailable } from './send-file.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.ndjson': 'application/x-ndjson',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
};

const MAX_TEXT_BYTES = 4 * 1024 * 1024;

const PRODUCT = /^\/01\/\d{14}\/$/;
const BELOW_PRODUCT = new RegExp(`^(/01/\\d{14}/)(?:${DIGITAL_LINK_QUALIFIERS.join('|')})/`);

export interface ServeStaticOptions {
  /**
   * Public URL, which some headers depend on.
   * @default this machine, without TLS
   */
  siteUrl?: string | undefined;
  /** Redirect map of the build. */
  redirectsFile?: string | undefined;
}

/**
 * Serves a folder of static files like a static host. Adds trailing slashes, compresses text, marks hashed files as
 * immutable, and redirects moved pages. Responds with the site's own 404 page for missing files. The folder may be
 * rebuilt while it is served.
 */
export function serveStatic(folder: string, options: ServeStaticOptions = {}): RequestListener {
  const rules = headerRules(options.siteUrl ?? 'http://localhost');
  const redirectOf = options.redirectsFile === undefined ? undefined : readRedirects(options.redirectsFile);
  const handleRequest = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const base = basePath();
    const headers = matchHeaders(rules, base);
    const reject = (status: number, text: string, further: Record<string, string> = {}): void => {
      const type = { 'Content-Type': 'text/plain; charset=utf-8' };
      res.writeHead(status, { ...headers, ...further, ...type }).end(`${text}\n`);
    };
    const redirect = (status: number, location: string): void => {
      res.writeHead(status, { Location: location + queryOf(req), ...headers }).end();
    };
    if (req.method !== 'GET' && req.method !== 'HEAD') return reject(405, 'Method not allowed', { Allow: 'GET, HEAD' });
    const requested = readPathname(req);
    if (requested === undefined) return reject(400, 'Bad request');
    const moved = redirectOf?.(requested);
    if (moved !== undefined) return redirect(301, encodeTarget(moved));
    if (!requested.startsWith(base)) {
      if (requested === '/' || `${requested}/` === base) return redirect(308, base);
      return reject(404, `Not found: the site is at ${base}`);
    }
    const sitePathname = chooseRepresentation(stripBasePath(requested), req);
    const pathname = hostPath(sitePathname);
    const [, product] = BELOW_PRODUCT.exec(stripSitePath(pathname)) ?? [];
    // Lots and serial numbers have no pages: redirect to the GTIN.
    if (product !== undefined) return redirect(302, sitePath(product));
    const file = await findFile(folder, sitePathname);
    // More than one leading slash would name another host.
    if (file === 'redirect') return redirect(308, `${(req.url ?? '/').split('?', 1)[0]?.replace(/^\/+/, '/')}/`);
    if (file === undefined) {
      const page = await notFoundPage(folder, sitePathname);
      if (page === undefined || !sendText(page, req, res, { headers, status: 404 })) reject(404, 'Not found');
      return;
    }
    const fileHeaders = matchHeaders(rules, pathname);
    if (sendText(file, req, res, { headers: fileHeaders })) return;
    await sendFile(req, res, file, { 'Content-Type': getContentType(file), ...fileHeaders });
  };
  // A rebuild may remove a file between two steps.
  return (req, res) => void handleRequest(req, res).catch(() => sendUnavailable(res));
}

/** Returns the decoded path; undefined if it isn't a valid file name. */
function readPathname(req: IncomingMessage): string | undefined {
  try {
    const pathname = decodeURIComponent(new URL(req.url ?? '/', 'http://site').pathname);
    return pathname.includes('\0') || pathname.includes('\\') ? undefined : pathname;
  } catch {
    return undefined;
  }
}

async function findFile(folder: string, pathname: string): Promise<string | 'redirect' | undefined> {
  const target = path.join(folder, pathname);
  if (target !== folder && !target.startsWith(folder + path.sep)) return undefined;
  if (isHidden(pathname)) return undefined;
  if (pathname.endsWith('/')) return findInside(folder, path.join(target, 'index.html'));
  const file = await findInside(folder, target);
  if (file !== undefined && path.extname(file) !== '') return file;
  return (await findInside(folder, path.join(target, 'index.html'))) === undefined ? file : 'redirect';
}

/** True for dot files and contents of dot folders, such as repositories and host settings. `.well-known` is public. */
function isHidden(pathname: string): boolean {
  return pathname
    .split('/')
    .filter((name) => name !== '')
    .some((name, depth) => name.startsWith('.') && !(depth === 0 && name === '.well-known'));
}

/** Returns a file inside the folder after resolving links; undefined for folders. */
async function findInside(folder: string, file: string): Promise<string | undefined> {
  const resolved = await resolveBelow(folder, file);
  const stats = resolved === undefined ? undefined : await ignoreMissing(stat(resolved));
  return stats?.isDirectory() === false ? file : undefined;
}

export function getContentType(file: string): string {
  const extension = path.extname(file).toLowerCase();
  const type = TYPES[extension] ?? MEDIA_FILES.get(extension.slice(1))?.mimeType ?? getMimeType(file);
  return type ?? 'application/octet-stream';
}

function queryOf({ url = '' }: IncomingMessage): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

/** Finds the nearest 404 page upwards: `/de-de/404.html` for missing files below `/de-de/`. */
async function notFoundPage(folder: string, pathname: string): Promise<string | undefined> {
  for (let at = path.posix.dirname(`${pathname}.`); ; at = path.posix.dirname(at)) {
    for (const name of ['404.html', '404/index.html']) {
      const file = path.join(folder, at, name);
      if ((await findInside(folder, file)) !== undefined) return file;
    }
    if (at === '/') return undefined;
  }
}

/** Returns the path to serve: a GS1 Digital Link returns its linkset on request. */
export function chooseRepresentation(pathname: string, { url = '', headers }: IncomingMessage): string {
  if (!PRODUCT.test(stripSitePath(hostPath(pathname)))) return pathname;
  const linkType = new URL(url, 'http://site').searchParams.get('linkType');
  const wantsLinkset =
    linkType === 'linkset' || linkType === 'all' || headers.accept?.includes('application/linkset+json') === true;
  return wantsLinkset ? `${pathname}linkset.json` : pathname;
}

const COMPRESSORS = {
  br: (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => gzipSync(body),
};

/** Sends a text file, compressed if accepted. Returns false for other files, without sending a response. */
function sendText(
  file: string,
  req: IncomingMessage,
  res: ServerResponse,
  { headers, status = 200 }: { headers: Record<string, string>; status?: number },
): boolean {
  const type = TYPES[path.extname(file)];
  const stats = type === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!type || !stats?.isFile() || stats.size > MAX_TEXT_BYTES) return false;
  const encoding = chooseEncoding(req.headers['accept-encoding']);
  const etag = `W/"${stats.size}-${stats.mtimeMs}"`;
  const sent = { 'Content-Type': type, ...headers, ETag: etag, Vary: 'Accept-Encoding' };
  if (status === 200 && req.headers['if-none-match'] === etag) {
    res.writeHead(304, sent).end();
    return true;
  }
  const bytes = readFileSync(file);
  const body = encoding ? COMPRESSORS[encoding](bytes) : bytes;
  const coding = encoding && { 'Content-Encoding': encoding };
  res
    .writeHead(status, { ...sent, ...coding, 'Content-Length': body.length })
    .end(req.method === 'HEAD' ? undefined : body);
  return true;
}

function chooseEncoding(accepted: string | string[] | undefined): keyof typeof COMPRESSORS | undefined {
  const names = String(accepted ?? '')
    .split(',')
    .map((part) => part.split(';').map((value) => value.trim()))
    .filter(([, weight]) => weight !== 'q=0')
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((name) => names.includes(name));
}
