import { Hono } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { isKnown } from '#origin/platform/cache/response-cache.ts';
import type { FileStore, OpenFile, ByteRange } from '#origin/platform/files/index.ts';
import { FILE_TYPES, type FileType } from '#contracts/podcast/index.ts';
import { errorPage } from './error-page.ts';

/** `chapters.json` before `json`. */
const LONGEST_FIRST = FILE_TYPES.toSorted((a, b) => b.extension.length - a.extension.length);
const READ_BY_PLAYERS: ReadonlySet<string | undefined> = new Set(['transcript', 'captions', 'chapters']);

/**
 * Serves files, by GET and HEAD, with validators and ranges. Dot files are not served, and nothing outside their
 * folder can be named.
 */
export function serveFiles(files: FileStore): Hono {
  const app = new Hono();
  app.on(['GET', 'HEAD'], '*', async (c) => {
    const path = readPath(new URL(c.req.url).pathname);
    const file = path === undefined ? undefined : await files.open(path);
    if (path === undefined || file === undefined) return errorPage(404);
    try {
      return await answer(c.req.raw, file, path);
    } catch (error) {
      await file.close();
      throw error;
    }
  });
  app.all('*', () => errorPage(405, { Allow: 'GET, HEAD' }));
  return app;
}

/** Takes over the file: it is closed when the body was sent or given up. */
async function answer({ method, headers: asked }: Request, file: OpenFile, path: string): Promise<Response> {
  const { bytes, modifiedAt, etag } = file;
  const headers = describeFile(path, etag, modifiedAt);
  const finish = async (status: number) => {
    await file.close();
    return new Response(null, { status, headers });
  };
  if (isUnchanged(asked, etag, modifiedAt)) return finish(304);
  headers.set('Accept-Ranges', 'bytes');
  headers.set('Content-Type', typeOf(path));

  const range = mayUseRange(asked, etag, modifiedAt) ? readRange(asked.get('range') ?? undefined, bytes) : undefined;
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
  // Players on other sites load them (CORS).
  if (READ_BY_PLAYERS.has(episodeFileType(path)?.kind)) headers.set('Access-Control-Allow-Origin', '*');
  // What a browser would run as a document of this site is shown without any rights.
  if (/^(text\/html|image\/svg|text\/xml|application\/(xml|xhtml))/.test(typeOf(path))) {
    headers.set('Content-Security-Policy', "sandbox; default-src 'none'");
  }
  return headers;
}

/** Files of episodes have the type that feeds say; players refuse others. */
function typeOf(path: string): string {
  const type = episodeFileType(path)?.mimeType;
  if (type === undefined) return getMimeType(path) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

function episodeFileType(path: string): FileType | undefined {
  return LONGEST_FIRST.find(({ extension }) => path.toLowerCase().endsWith(`.${extension}`));
}

/** `If-Range` lets a range through only as long as the file is the one its first part was read from. */
function mayUseRange(asked: Headers, etag: string, modified: Date): boolean {
  const condition = asked.get('if-range');
  return condition === null || condition === etag || condition === modified.toUTCString();
}

/** What an address names below the folder; nothing for what is never served. */
function readPath(urlPath: string): string | undefined {
  const path = decodePath(urlPath)?.replace(/^\/+/, '');
  return path === undefined || path === '' || /\0|\\|(^|\/)\./.test(path) ? undefined : path;
}

function decodePath(urlPath: string): string | undefined {
  try {
    return decodeURIComponent(urlPath);
  } catch {
    return undefined;
  }
}

/** Whether what a client holds is still right: `If-None-Match` where it is sent, else `If-Modified-Since`. */
export function isUnchanged(headers: Headers, etag: string, modified: Date): boolean {
  const known = headers.get('if-none-match');
  if (known !== null) return isKnown(etag, known);
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return !Number.isNaN(since) && Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

/**
 * Reads a `Range` header (RFC 9110, section 14). `undefined`: send everything, as for several ranges at once or
 * another unit, which a server may leave alone. `unsatisfiable`: nothing of it exists.
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
