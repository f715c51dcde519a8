import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startFakeServer } from '#client/testing/test-server.ts';
import { escapeXml } from '#contracts/html/html-text.ts';

export type TestBucket = Awaited<ReturnType<typeof startTestBucket>>;

interface StoredObject {
  bytes: Buffer;
  etag: string;
  writtenAt: Date;
  writer: string;
}

const BUCKET = '/files';
const SECRET_KEY = 'secret of a test';
const MAX_KEYS = 1000;

/**
 * Starts a bucket on a loopback server. It implements the parts of S3 that the origin uses: objects with conditions
 * and ranges, and ListObjectsV2.
 *
 * @param options.knowsConditions true if the server supports `If-None-Match: *` for writes, as AWS does
 */
export async function startTestBucket({ knowsConditions = false } = {}) {
  const objects = new Map<string, StoredObject>();
  /** Received requests: `PUT /files/uploads/a.txt`. */
  const asked: string[] = [];
  /** Error statuses for the next requests, which are not executed. */
  const failures: number[] = [];
  /** Error statuses for the next writes, which are executed nevertheless. */
  const lostAnswers: number[] = [];
  /** Promises that the next downloads wait for after their first half. */
  const pauses: Promise<unknown>[] = [];
  /** Requests whose response was aborted. */
  const givenUp: string[] = [];
  const server = await startFakeServer((request, response) => {
    void buffer(request).then((body) => answer(request, body, response));
  });

  function answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket.test');
    if (!isSigned(request, SECRET_KEY)) return refuse(response, 403, 'SignatureDoesNotMatch');
    if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
      return refuse(response, 400, 'XAmzContentSHA256Mismatch');
    asked.push(`${method} ${pathname}`);
    response.on('close', () => void (response.writableFinished || givenUp.push(`${method} ${pathname}`)));
    const failure = failures.shift();
    if (failure !== undefined) return void response.writeHead(failure).end();
    if (pathname !== BUCKET && !pathname.startsWith(`${BUCKET}/`)) return refuse(response, 404, 'NoSuchBucket');
    const key = decodeURIComponent(pathname.slice(BUCKET.length + 1));
    if (key === '') return void response.end(list(objects, searchParams));
    const found = objects.get(key);
    if (method === 'PUT') {
      if (knowsConditions && found && headers['if-none-match'] === '*')
        return refuse(response, 412, 'PreconditionFailed');
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      const writer = String(headers['x-amz-meta-writer'] ?? '');
      objects.set(key, { bytes: body, etag, writtenAt: new Date(), writer });
      return void response.writeHead(lostAnswers.shift() ?? 200).end();
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (!found) return refuse(response, 404, 'NoSuchKey');
    if (headers['if-match'] !== undefined && headers['if-match'] !== found.etag)
      return refuse(response, 412, 'PreconditionFailed');
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const part = from === undefined ? found.bytes : found.bytes.subarray(Number(from), Number(to) + 1);
    response.writeHead(from === undefined ? 200 : 206, {
      'content-length': part.length,
      etag: found.etag,
      'last-modified': found.writtenAt.toUTCString(),
      'x-amz-meta-writer': found.writer,
    });
    if (method === 'HEAD') return void response.end();
    const pause = pauses.shift();
    if (!pause) return void response.end(part);
    const half = Math.floor(part.length / 2);
    response.write(part.subarray(0, half));
    void pause.then(() => response.end(part.subarray(half)));
  }

  return {
    address: `${server.origin}${BUCKET}`,
    region: 'us-east-1',
    accessKey: 'test',
    secretKey: SECRET_KEY,
    asked,
    failures,
    lostAnswers,
    pauses,
    givenUp,
    close: () => server.close(),
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>Error of a test.</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}

/** ListObjectsV2 in key order. The token is the last key of the previous page. */
function list(objects: ReadonlyMap<string, StoredObject>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const after = query.get('continuation-token') ?? '';
  const found = [...objects]
    .filter(([key]) => key.startsWith(prefix) && key > after)
    .filter(([key]) => delimiter === '' || !key.slice(prefix.length).includes(delimiter))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const page = found.slice(0, Number(query.get('max-keys') ?? MAX_KEYS));
  const entries = page.map(
    ([key, { bytes, etag, writtenAt }]) =>
      `<Contents><Key>${escapeXml(key)}</Key><LastModified>${writtenAt.toISOString()}</LastModified>` +
      `<ETag>${escapeXml(etag)}</ETag><Size>${bytes.length}</Size></Contents>`,
  );
  const last = page.length < found.length ? page.at(-1)?.[0] : undefined;
  const token = last === undefined ? '' : `<NextContinuationToken>${escapeXml(last)}</NextContinuationToken>`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
    `<IsTruncated>${last !== undefined}</IsTruncated>${entries.join('')}${token}</ListBucketResult>`
  );
}

/** Verifies the AWS Signature Version 4 of a request. */
function isSigned({ method = '', url = '', headers }: IncomingMessage, secretKey: string): boolean {
  const pattern = /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/;
  const [, scope = '', signedHeaders = '', signature] = pattern.exec(headers.authorization ?? '') ?? [];
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query.split('&').filter(Boolean).toSorted().join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name])}`),
    '',
    signedHeaders,
    String(headers['x-amz-content-sha256']),
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, digest].join('\n');
  let key: string | Buffer = `AWS4${secretKey}`;
  for (const part of [...scope.split('/'), toSign]) key = createHmac('sha256', key).update(part).digest();
  return Buffer.from(key).toString('hex') === signature;
}
