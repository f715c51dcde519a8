import { constants, open, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Prevents blocking on a named pipe without a writer. Windows has neither. */
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;

/**
 * Sends a file, or the requested range, which some media players require. Always closes the file. Responds with 503 if
 * it can't be read, because a rebuild may remove files.
 *
 * @param headers Not sent with 416 and 503.
 */
export async function sendFile(
  req: IncomingMessage,
  res: ServerResponse,
  file: string,
  headers: Record<string, string>,
): Promise<void> {
  try {
    await using opened = await open(file, constants.O_RDONLY | NON_BLOCKING);
    await sendRange(req, res, opened, headers);
  } catch {
    sendUnavailable(res);
  }
}

/** Responds with 503, or ends a partly sent response. */
export function sendUnavailable(res: ServerResponse): void {
  if (res.headersSent) res.destroy();
  else res.writeHead(503, { 'Retry-After': '1' }).end();
}

async function sendRange(
  req: IncomingMessage,
  res: ServerResponse,
  file: FileHandle,
  extraHeaders: Record<string, string>,
): Promise<void> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new Error('Not a file.');
  const { size, mtime } = stats;
  const etag = `W/"${size}-${mtime.getTime()}"`;
  const headers: OutgoingHttpHeaders = {
    'Cache-Control': 'no-cache',
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Last-Modified': mtime.toUTCString(),
    ...extraHeaders,
  };
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304, headers).end();
    return;
  }
  const condition = req.headers['if-range'];
  // A range of another version of the file would not fit.
  const isSame = condition === undefined || condition === mtime.toUTCString();
  const range = isSame ? readRange(req.headers.range) : undefined;
  if (range && range.start >= size) {
    res.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? Infinity, size - 1);
  res.writeHead(range ? 206 : 200, {
    ...headers,
    'Content-Length': end - start + 1,
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  });
  if (size === 0 || req.method === 'HEAD') res.end();
  else await pipeline(file.createReadStream({ start, end }), res);
}

/** Parses the requested range. Ignores forms other than `bytes=0-99` and `bytes=100-`, as RFC 9110 (14.2) allows. */
function readRange(range: string | undefined): { start: number; end: number | undefined } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === '') return undefined;
  const [start, end] = [Number(first), last === '' ? undefined : Number(last)];
  return end === undefined || end >= start ? { start, end } : undefined;
}
