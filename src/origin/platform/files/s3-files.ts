import { createHash, randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { z } from 'zod';
import {
  findSpans,
  formatProblems,
  hasUserInfo,
  getErrorMessage,
  parseValue,
  SortimentError,
  trimTrailing,
} from '#contracts/index.ts';
import { createFileOutsideError, keyedQueue } from './disk-files.ts';
import type { FileStore, OpenFile } from './file-store.ts';
import { decodeEntities } from '#contracts/html/html-text.ts';

const environment = z
  .object({
    FILES_BUCKET: z
      .url({ protocol: /^https?$/, error: 'is not an http(s) address', abort: true })
      .refine((address) => !hasUserInfo(address), {
        error: 'contains a user name or password: set FILES_ACCESS_KEY and FILES_SECRET_KEY instead',
      }),
    FILES_REGION: z.string().default('us-east-1'),
    FILES_ACCESS_KEY: z.string({ error: 'is missing' }),
    FILES_SECRET_KEY: z.string({ error: 'is missing' }),
  })
  .transform((variables) => ({
    /** Includes the bucket, as host or path: `https://s3.example.com/my-files`, `https://my-files.s3.example.com`. */
    address: trimTrailing(variables.FILES_BUCKET, '/'),
    region: variables.FILES_REGION,
    accessKey: variables.FILES_ACCESS_KEY,
    secretKey: variables.FILES_SECRET_KEY,
  }));

/** A bucket of an S3-compatible server, with its access key. */
export type Bucket = z.output<typeof environment>;

/** Matches the XML body of an error. Responses to HEAD have none. */
const ERROR_BODY = /<Code>([^<]*)<\/Code>(?:[\s\S]*?<Message>([^<]*)<\/Message>)?/;

const TIMEOUT_MS = 60_000;
/** Added to the timeout for large bodies. */
const MIN_BYTES_PER_SECOND = 100_000;

const ATTEMPTS = 4;

const FIRST_PAUSE_MS = 100;

/** Statuses that are retried: conflicting writes, rate limits and server errors. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([409, 429, 500, 502, 503, 504]);

/** Header that identifies the writer of a file. */
const WRITER_HEADER = 'x-amz-meta-writer';

/**
 * Stores files in a bucket of an S3-compatible server, under keys that begin with a folder. The server makes writes
 * atomic.
 *
 * With support for `If-None-Match: *` (AWS, Cloudflare, MinIO, Ceph), `add` is safe across processes. Without it,
 * `add` checks for the file first, so only one process may add files.
 */
export function s3Files(bucket: Bucket, folder: string, { timeoutMs = TIMEOUT_MS } = {}): FileStore {
  const send = createBucketClient(bucket, timeoutMs);
  const keyOf = (path: string) => {
    const clean = posix.normalize(path);
    if (path.includes('\0') || clean === '.' || /^(\/|\.\.(\/|$))/.test(clean)) throw createFileOutsideError(path);
    return `${folder}/${clean}`;
  };
  const has = async (key: string) => (await send('HEAD', key, { expected: [404] })).ok;
  const put = (key: string, bytes: Uint8Array) => send('PUT', key, { body: new Uint8Array(bytes) });
  const putIfAbsent = (key: string, bytes: Uint8Array, headers: Record<string, string> = {}) =>
    send('PUT', key, {
      body: new Uint8Array(bytes),
      headers: { ...headers, 'if-none-match': '*' },
      expected: [412, 501],
    });

  let conditional: Promise<boolean> | undefined;
  const hasConditions = () =>
    (conditional ??= probe().catch((error: unknown) => {
      conditional = undefined;
      throw error;
    }));
  /** Tests if the server supports conditional writes. Others report an error or ignore the condition. */
  async function probe(): Promise<boolean> {
    const key = `${folder}/.probe-${randomUUID()}`;
    await put(key, Buffer.from('1'));
    const { status } = await putIfAbsent(key, Buffer.from('2'));
    await send('DELETE', key, { expected: [404] });
    return status === 412;
  }

  const queue = keyedQueue();
  return {
    async add(path, bytes) {
      const key = keyOf(path);
      if (!(await hasConditions())) return queue(key, async () => !(await has(key)) && (await put(key, bytes)).ok);
      const writer = randomUUID();
      if ((await putIfAbsent(key, bytes, { [WRITER_HEADER]: writer })).ok) return true;
      // If the first response was lost, the retry finds the file of the first attempt.
      return (await send('HEAD', key, { expected: [404] })).headers.get(WRITER_HEADER) === writer;
    },
    put: async (path, bytes) => void (await put(keyOf(path), bytes)),
    putFile: async (path, from) => void (await send('PUT', keyOf(path), { body: await openAsBlob(from) })),
    async read(path) {
      const response = await send('GET', keyOf(path), { expected: [404] });
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      await response.body?.cancel();
      return undefined;
    },
    async open(path) {
      const key = keyOf(path);
      const head = await send('HEAD', key, { expected: [404] });
      return head.ok ? describe(head, (headers) => send('GET', key, { headers, isStreamed: true })) : undefined;
    },
    has: async (path) => has(keyOf(path)),
    remove: async (path) => void (await send('DELETE', keyOf(path), { expected: [404] })),
    async list(path, prefix = '') {
      const found = [];
      for await (const { key, writtenAt } of listKeys(send, `${keyOf(path)}/${prefix}`, { delimiter: '/' }))
        found.push({ path: key.slice(folder.length + 1), writtenAt });
      return found;
    },
    async measure() {
      let bytes = 0;
      for await (const found of listKeys(send, `${folder}/`)) bytes += found.bytes;
      return bytes;
    },
    // Incomplete uploads never become visible.
    removeUnfinished: () => Promise.resolve(),
  };
}

function describe({ headers }: Response, get: (headers: Record<string, string>) => Promise<Response>): OpenFile {
  const etag = headers.get('etag') ?? '';
  return {
    bytes: Number(headers.get('content-length')),
    modifiedAt: new Date(headers.get('last-modified') ?? Number.NaN),
    etag,
    async stream(range) {
      const rangeHeader = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const { body } = await get({ ...rangeHeader, 'if-match': etag });
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Lists all keys with a prefix, page by page (ListObjectsV2).
 *
 * @param parameters a `delimiter` excludes keys that contain it after the prefix; `max-keys` is the size of a page
 */
export async function* listKeys(
  send: SendToBucket,
  prefix: string,
  parameters: { delimiter?: string; 'max-keys'?: string } = {},
) {
  for (let token: string | undefined; ;) {
    const response = await send('GET', '', {
      query: {
        'list-type': '2',
        prefix,
        ...parameters,
        ...(token === undefined ? {} : { 'continuation-token': token }),
      },
    });
    const page = await response.text();
    for (const { inner: entry } of findSpans(page, /<Contents>/, /<\/Contents>/)) {
      yield {
        key: textOf(entry, 'Key') ?? '',
        bytes: Number(textOf(entry, 'Size')),
        writtenAt: new Date(textOf(entry, 'LastModified') ?? Number.NaN),
      };
    }
    token = textOf(page, 'NextContinuationToken');
    if (token === undefined) return;
  }
}

/**
 * Returns the text of the first element with this name.
 *
 * Key lists are machine-written elements without attributes; a complete XML parser takes thirty times as long.
 */
function textOf(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  return text === undefined ? undefined : decodeEntities(text);
}

/**
 * Checks that a bucket exists and can be listed. @throws {SortimentError} BUCKET_UNREACHABLE, BUCKET_MISSING,
 * BUCKET_REFUSED
 */
export async function checkBucket(bucket: Bucket): Promise<void> {
  await listKeys(createBucketClient(bucket), '', { 'max-keys': '1' }).next();
}

interface BucketRequest {
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer> | Blob;
  /** Statuses that don't throw, in addition to 2xx. */
  expected?: readonly number[];
  /** Limits the time until the headers only; the body may take longer. */
  isStreamed?: boolean;
}

/** Sends a request for a key, or for the bucket itself if the key is empty. @throws {SortimentError} BUCKET_… */
type SendToBucket = (method: string, key: string, request?: BucketRequest) => Promise<Response>;

/** Creates a client that signs requests (AWS Signature Version 4 with payload hash) and retries temporary errors. */
export function createBucketClient(bucket: Bucket, timeoutMs = TIMEOUT_MS): SendToBucket {
  const { address, region, accessKey: accessKeyId, secretKey: secretAccessKey } = bucket;
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  return async (method, key, { query = {}, headers = {}, body, expected = [], isStreamed = false } = {}) => {
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const url = `${address}/${encodeKey(key)}${search === '' ? '' : `?${search}`}`;
    const sha256 = await digestOf(body);
    const bytes = body instanceof Blob ? body.size : (body?.length ?? 0);
    const send = async () => {
      // An `AbortSignal.timeout` can't be cancelled.
      const limitMs = timeoutMs + Math.ceil(bytes / MIN_BYTES_PER_SECOND) * 1000;
      const controller = new AbortController();
      const abort = () => controller.abort(new DOMException(`Took longer than ${limitMs} ms.`, 'TimeoutError'));
      const timer = setTimeout(abort, limitMs).unref();
      const request = await signer.sign(url, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': sha256 },
        body: body ?? null,
        signal: controller.signal,
      });
      const response = await fetch(request);
      // `fetch` aborts a body that stalls for five minutes.
      if (isStreamed && response.ok) clearTimeout(timer);
      return response;
    };
    for (let attempt = 1; ; attempt += 1) {
      const result = await send().catch((error: unknown) => createUnreachableError(bucket, method, key, error));
      if (result instanceof Response && (result.ok || expected.includes(result.status))) return result;
      const isRetryable = !(result instanceof Response) || RETRIED_STATUSES.has(result.status);
      if (attempt === ATTEMPTS || !isRetryable)
        throw result instanceof Response ? await createStatusError(bucket, method, key, result) : result;
      if (result instanceof Response) await result.body?.cancel();
      await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  };
}

async function digestOf(body: BucketRequest['body']): Promise<string> {
  const hash = createHash('sha256');
  if (body instanceof Blob) for await (const chunk of body.stream()) hash.update(chunk);
  else hash.update(body ?? '');
  return hash.digest('hex');
}

/** Percent-encodes everything except unreserved characters, as signatures require. */
function encodeKey(key: string): string {
  return key
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');
}

/** Creates the error for a request without response. */
function createUnreachableError(bucket: Bucket, method: string, key: string, cause: unknown): SortimentError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = getErrorMessage(inner);
  return new SortimentError('BUCKET_UNREACHABLE', `${nameOf(bucket, method, key)}: no response: ${reason}`, {
    hint: 'Check FILES_BUCKET, and that its server is running.',
    cause,
  });
}

async function createStatusError(
  bucket: Bucket,
  method: string,
  key: string,
  response: Response,
): Promise<SortimentError> {
  const [, code = '', reason = ''] = ERROR_BODY.exec(await response.text().catch(() => '')) ?? [];
  const message = `${nameOf(bucket, method, key)}: ${[response.status, code, reason].filter(Boolean).join(' ')}`;
  const create = (name: string, hint: string) => new SortimentError(name, message, { hint });
  if (response.status === 404 && (key === '' || code === 'NoSuchBucket'))
    return create('BUCKET_MISSING', 'Create the bucket, or correct FILES_BUCKET.');
  if (response.status === 401 || response.status === 403)
    return create(
      'BUCKET_REFUSED',
      'Check FILES_ACCESS_KEY, FILES_SECRET_KEY, FILES_REGION and the clock of this machine. The key needs permission to list the bucket and to read, write and delete objects.',
    );
  return create('BUCKET_FAILED', 'See the log of the storage server.');
}

/** `[PUT] "https://s3.example.com/files/uploads/a.jpg"` */
function nameOf({ address }: Bucket, method: string, key: string): string {
  return `[${method}] "${key === '' ? address : `${address}/${key}`}"`;
}

/**
 * Reads the bucket from the environment: `FILES_BUCKET`, `FILES_REGION`, `FILES_ACCESS_KEY`, `FILES_SECRET_KEY`.
 * Empty values count as unset. Returns undefined without `FILES_BUCKET`.
 *
 * @throws {SortimentError} BUCKET_INVALID, without the values
 */
export function readBucket(variables: Readonly<Record<string, string | undefined>>): Bucket | undefined {
  if (!variables['FILES_BUCKET']) return undefined;
  const nonEmpty = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const parsed = parseValue(environment, nonEmpty);
  if (!parsed.ok)
    throw new SortimentError('BUCKET_INVALID', `The bucket settings are invalid:\n${formatProblems(parsed.problems)}`, {
      hint: 'Correct them in .env or in the shell, or leave FILES_BUCKET empty to keep files in the data folder.',
    });
  return parsed.value;
}
