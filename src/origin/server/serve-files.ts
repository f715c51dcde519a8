import { open, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { errorPage } from './error-page.ts';
import { isUnchanged } from './is-unchanged.ts';
import { readRange } from './read-range.ts';

/**
 * Serves the files below a folder, by GET and HEAD, with validators and ranges. Dot files are not served, and
 * nothing outside the folder can be named.
 */
export function serveFiles(folder: string): Hono {
  const app = new Hono();
  app.on(['GET', 'HEAD'], '*', async (c) => {
    const path = await findPath(folder, new URL(c.req.url).pathname);
    const file = path === undefined ? undefined : await openFile(path);
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
async function answer({ method, headers: asked }: Request, file: FileHandle, path: string): Promise<Response> {
  const { size, mtime } = await file.stat();
  const etag = `"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
  const headers = describeFile(path, etag, mtime);
  const finish = async (status: number) => {
    await file.close();
    return new Response(null, { status, headers });
  };
  if (isUnchanged(asked, etag, mtime)) return finish(304);
  headers.set('Accept-Ranges', 'bytes');
  headers.set('Content-Type', typeOf(path));

  const range = mayUseRange(asked, etag, mtime) ? readRange(asked.get('range') ?? undefined, size) : undefined;
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${size}`);
    return finish(416);
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers.set('Content-Length', String(end - start + 1));
  if (range) headers.set('Content-Range', `bytes ${start}-${end}/${size}`);
  const status = range ? 206 : 200;
  if (method === 'HEAD' || size === 0) return finish(status);
  const body = Readable.toWeb(file.createReadStream({ start, end })) as ReadableStream;
  return new Response(body, { status, headers });
}

function describeFile(path: string, etag: string, modified: Date): Headers {
  const headers = new Headers({
    ETag: etag,
    'Last-Modified': modified.toUTCString(),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
  // What a browser would run as a document of this site is shown without any rights.
  if (/^(text\/html|image\/svg|text\/xml|application\/(xml|xhtml))/.test(typeOf(path))) {
    headers.set('Content-Security-Policy', "sandbox; default-src 'none'");
  }
  return headers;
}

function typeOf(path: string): string {
  return getMimeType(path) ?? 'application/octet-stream';
}

/** `If-Range` lets a range through only as long as the file is the one its first part was read from. */
function mayUseRange(asked: Headers, etag: string, modified: Date): boolean {
  const condition = asked.get('if-range');
  return condition === null || condition === etag || condition === modified.toUTCString();
}

/** The real path of a file, links resolved, if that lies below the folder. */
async function findPath(folder: string, urlPath: string): Promise<string | undefined> {
  const path = decodePath(urlPath);
  if (path === undefined || /\0|\\|(^|\/)\./.test(path)) return undefined;
  try {
    const root = await realpath(folder);
    const found = await realpath(join(root, path));
    return found.startsWith(root + sep) ? found : undefined;
  } catch {
    return undefined;
  }
}

function decodePath(urlPath: string): string | undefined {
  try {
    return decodeURIComponent(urlPath);
  } catch {
    return undefined;
  }
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}
