import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

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
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

type Encoding = 'br' | 'gzip' | 'identity';

export type SendCompressed = (
  file: string,
  req: IncomingMessage,
  res: ServerResponse,
  headers: Record<string, string>,
  status?: number,
) => boolean;

/**
 * Makes a function that answers with a text file, compressed as the browser accepts it, and keeps what it
 * compressed (64 MiB at most) until the file changes. It returns false for anything else, which is not touched.
 */
export function createTextCompressor(): SendCompressed {
  const kept = new Map<string, Buffer>();
  let keptBytes = 0;
  const keep = (key: string, body: Buffer): void => {
    if (keptBytes + body.length > MAX_KEPT_BYTES) {
      kept.clear();
      keptBytes = 0;
    }
    kept.set(key, body);
    keptBytes += body.length;
  };
  return (file, req, res, headers, status = 200) => {
    const type = TYPES[path.extname(file)];
    const stats = type === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
    if (!type || !stats?.isFile() || stats.size > MAX_TEXT_BYTES) return false;
    const encoding = chooseEncoding(req.headers['accept-encoding']);
    const etag = `W/"${stats.size}-${stats.mtimeMs}"`;
    for (const [name, value] of Object.entries({
      'Content-Type': type,
      ...headers,
      ETag: etag,
      Vary: 'Accept-Encoding',
    }))
      res.setHeader(name, value);
    if (status === 200 && req.headers['if-none-match'] === etag) {
      res.writeHead(304).end();
      return true;
    }
    const key = `${encoding}:${file}:${etag}`;
    const body = kept.get(key) ?? compress(readFileSync(file), encoding);
    if (!kept.has(key)) keep(key, body);
    if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding);
    res.setHeader('Content-Length', body.length);
    res.writeHead(status).end(req.method === 'HEAD' ? undefined : body);
    return true;
  };
}

function chooseEncoding(accepted: string | string[] | undefined): Encoding {
  const words = String(accepted ?? '')
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim()))
    .filter(([, weight]) => weight !== 'q=0')
    .map(([name]) => name);
  return words.includes('br') ? 'br' : words.includes('gzip') ? 'gzip' : 'identity';
}

function compress(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'gzip') return gzipSync(body);
  if (encoding === 'br') return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return body;
}
