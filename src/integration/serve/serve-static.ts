import { existsSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import path from 'node:path';
import sirv from 'sirv';
import { createTextCompressor, type SendCompressed } from './compress-text.ts';
import { siteHeaders } from './site-headers.ts';

/**
 * Answers from a folder of static files as a good static host does: a folder's address ends with a slash, text is
 * compressed, hashed files are immutable, and what isn't there is the site's own 404 page with that status. The
 * folder may be rebuilt while it is served.
 */
export function serveStatic(folder: string): RequestListener {
  const sendFile = sirv(folder, {
    dev: true,
    etag: true,
    setHeaders: (res, pathname) => setHeaders(res, siteHeaders(pathname)),
  });
  const sendCompressed = createTextCompressor();
  return (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return refuse(res, 405, 'Method not allowed', { Allow: 'GET, HEAD' });
    const pathname = readPathname(req);
    if (pathname === undefined) return refuse(res, 400, 'Bad request');
    const file = findFile(folder, pathname);
    if (file === 'redirect') return redirect(res, req.url ?? '/');
    const sendMissing = (): void => sendNotFound(sendCompressed, notFoundPage(folder, pathname), req, res);
    if (file === undefined) return sendMissing();
    if (!isUsableRange(req.headers.range)) delete req.headers.range;
    if (sendCompressed(file, req, res, siteHeaders(pathname))) return undefined;
    return sendFile(req, res, sendMissing);
  };
}

/** The decoded path, or undefined for what no file can be called. */
function readPathname(req: IncomingMessage): string | undefined {
  try {
    const pathname = decodeURIComponent(new URL(req.url ?? '/', 'http://site').pathname);
    return pathname.includes('\0') || pathname.includes('\\') ? undefined : pathname;
  } catch {
    return undefined;
  }
}

function findFile(folder: string, pathname: string): string | 'redirect' | undefined {
  const target = path.join(folder, pathname);
  if (target !== folder && !target.startsWith(folder + path.sep)) return undefined;
  if (pathname.endsWith('/')) return existing(path.join(target, 'index.html'));
  if (path.extname(target) !== '' && existsSync(target)) return target;
  return existsSync(path.join(target, 'index.html')) ? 'redirect' : existing(target);
}

const existing = (file: string): string | undefined => (existsSync(file) ? file : undefined);

/** What sirv can answer; other ranges are ignored, as RFC 9110 (14.2) allows, instead of read wrongly. */
function isUsableRange(range: string | undefined): boolean {
  if (range === undefined) return true;
  const [, start = '', end = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  return start !== '' && (end === '' || Number(end) >= Number(start));
}

function redirect(res: ServerResponse, url: string): void {
  const [pathname = '/', query] = url.split('?', 2);
  // More than one slash at the start would name another host.
  const location = `${pathname.replace(/^\/+/, '/')}/${query === undefined ? '' : `?${query}`}`;
  res.writeHead(308, { Location: location, ...siteHeaders('/') }).end();
}

/** The nearest 404 page upwards: `/de-de/404.html` for what is missing below `/de-de/`. */
function notFoundPage(folder: string, pathname: string): string | undefined {
  const language = /^\/([a-z0-9-]+)\//.exec(pathname)?.[1];
  return [language, '']
    .filter((place) => place !== undefined)
    .flatMap((place) => [path.join(folder, place, '404.html'), path.join(folder, place, '404', 'index.html')])
    .find((file) => existsSync(file));
}

function sendNotFound(send: SendCompressed, page: string | undefined, req: IncomingMessage, res: ServerResponse): void {
  if (page === undefined || !send(page, req, res, siteHeaders('/'), 404)) refuse(res, 404, 'Not found');
}

function refuse(res: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  setHeaders(res, { ...siteHeaders('/'), ...headers, 'Content-Type': 'text/plain; charset=utf-8' });
  res.writeHead(status).end(`${text}\n`);
}

function setHeaders(res: ServerResponse, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}
