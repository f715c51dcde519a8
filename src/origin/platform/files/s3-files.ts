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
  messageOf,
  readValue,
  SortimentError,
  trimEndOf,
} from '#contracts/index.ts';
import { fileOutside, keyedQueue } from './disk-files.ts';
import type { FileStore, OpenFile } from './file-store.ts';

const environment = z.object({
  FILES_BUCKET: z
    .url({ protocol: /^https?$/, error: 'is not an http(s) address', abort: true })
    .refine((address) => !hasUserInfo(address), {
      error: 'holds a user name or a password: set FILES_ACCESS_KEY and FILES_SECRET_KEY instead',
    }),
  FILES_REGION: z.string().default('us-east-1'),
  FILES_ACCESS_KEY: z.string({ error: 'is missing' }),
  FILES_SECRET_KEY: z.string({ error: 'is missing' }),
});

/** What a bucket's server says of an error, in XML; of HEAD it says nothing. */
const SAID = /<Code>([^<]*)<\/Code>(?:[\s\S]*?<Message>([^<]*)<\/Message>)?/;

const TIMEOUT_MS = 60_000;
/** Large files may take longer. */
const MIN_BYTES_PER_SECOND = 100_000;

const ATTEMPTS = 4;

const FIRST_PAUSE_MS = 100;

/** Two writers at once, too many requests, and servers that are not well: the same question can be answered later. */
const HEALING: ReadonlySet<number> = new Set([409, 429, 500, 502, 503, 504]);

/** Tells who has added a file. */
const WRITER = 'x-amz-meta-writer';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Files in a bucket of an S3-compatible server, under keys that begin with a folder. The server makes them appear
 * whole or not at all.
 *
 * Where it knows `If-None-Match: *` (AWS, Cloudflare, MinIO, Ceph), of any number of processes one adds a file.
 * Elsewhere it is looked first, one after the other: then only one process may add files.
 */
export function s3Files(bucket: Bucket, folder: string, { timeoutMs = TIMEOUT_MS } = {}): FileStore {
  const ask = askBucket(bucket, timeoutMs);
  const keyOf = (path: string) => {
    const clean = posix.normalize(path);
    if (path.includes('\0') || clean === '.' || /^(\/|\.\.(\/|$))/.test(clean)) throw fileOutside(path);
    return `${folder}/${clean}`;
  };
  const has = async (key: string) => (await ask('HEAD', key, { expected: [404] })).ok;
  const put = (key: string, bytes: Uint8Array) => ask('PUT', key, { body: new Uint8Array(bytes) });
  const putIfAbsent = (key: string, bytes: Uint8Array, headers: Record<string, string> = {}) =>
    ask('PUT', key, {
      body: new Uint8Array(bytes),
      headers: { ...headers, 'if-none-match': '*' },
      expected: [412, 501],
    });

  let conditional: Promise<boolean> | undefined;
  const knowsConditions = () =>
    (conditional ??= probe().catch((error: unknown) => {
      conditional = undefined;
      throw error;
    }));
  /** Servers that don't know a condition either say so or write nevertheless. */
  async function probe(): Promise<boolean> {
    const key = `${folder}/.probe-${randomUUID()}`;
    await put(key, Buffer.from('1'));
    const { status } = await putIfAbsent(key, Buffer.from('2'));
    await ask('DELETE', key, { expected: [404] });
    return status === 412;
  }

  const alone = keyedQueue();
  return {
    async add(path, bytes) {
      const key = keyOf(path);
      if (!(await knowsConditions())) return alone(key, async () => !(await has(key)) && (await put(key, bytes)).ok);
      const writer = randomUUID();
      if ((await putIfAbsent(key, bytes, { [WRITER]: writer })).ok) return true;
      // Where the answer to a first attempt was lost, the second one finds the file of the first.
      return (await ask('HEAD', key, { expected: [404] })).headers.get(WRITER) === writer;
    },
    put: async (path, bytes) => void (await put(keyOf(path), bytes)),
    putFile: async (path, from) => void (await ask('PUT', keyOf(path), { body: await openAsBlob(from) })),
    async read(path) {
      const answer = await ask('GET', keyOf(path), { expected: [404] });
      if (answer.ok) return Buffer.from(await answer.arrayBuffer());
      await answer.body?.cancel();
      return undefined;
    },
    async open(path) {
      const key = keyOf(path);
      const about = await ask('HEAD', key, { expected: [404] });
      return about.ok ? describe(about, (headers) => ask('GET', key, { headers, isStreamed: true })) : undefined;
    },
    has: async (path) => has(keyOf(path)),
    remove: async (path) => void (await ask('DELETE', keyOf(path), { expected: [404] })),
    async list(path, prefix = '') {
      const found = [];
      for await (const { key, writtenAt } of listKeys(ask, `${keyOf(path)}/${prefix}`, { delimiter: '/' }))
        found.push({ path: key.slice(folder.length + 1), writtenAt });
      return found;
    },
    async measure() {
      let bytes = 0;
      for await (const found of listKeys(ask, `${folder}/`)) bytes += found.bytes;
      return bytes;
    },
    // What was not sent to its end was never there.
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
      const part = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const { body } = await get({ ...part, 'if-match': etag });
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
    close: () => Promise.resolve(),
  };
}

interface ListedKey {
  key: string;
  bytes: number;
  writtenAt: Date;
}

/** All keys that begin with a prefix, page by page (ListObjectsV2); with a delimiter, those that don't contain it after that. */
export async function* listKeys(
  ask: AskBucket,
  prefix: string,
  { delimiter, pageSize }: { delimiter?: string; pageSize?: number } = {},
): AsyncGenerator<ListedKey> {
  for (let token: string | undefined; ;) {
    const answer = await ask('GET', '', {
      query: {
        'list-type': '2',
        prefix,
        ...(delimiter === undefined ? {} : { delimiter }),
        ...(pageSize === undefined ? {} : { 'max-keys': String(pageSize) }),
        ...(token === undefined ? {} : { 'continuation-token': token }),
      },
    });
    const page = await answer.text();
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
 * The text of the first such element. Lists of keys are plain elements without attributes, written by programs; a parser
 * of all of XML takes thirty times as long for a page of them.
 */
function textOf(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  return text?.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (entity, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name ?? ''] ?? entity;
  });
}

/** Whether a bucket is there and may be listed. @throws {SortimentError} BUCKET_UNREACHABLE, BUCKET_MISSING, BUCKET_REFUSED */
export async function checkBucket(bucket: Bucket): Promise<void> {
  await listKeys(askBucket(bucket), '', { pageSize: 1 }).next();
}

interface BucketQuestion {
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer> | Blob;
  /** Statuses that are answers, besides those of success. */
  expected?: readonly number[];
  /** The answer has to begin in time, and may then take as long as whoever reads it. */
  isStreamed?: boolean;
}

/** Asks for a key, or for the bucket itself by an empty one. @throws {SortimentError} BUCKET_… */
type AskBucket = (method: string, key: string, question?: BucketQuestion) => Promise<Response>;

/** Signs requests to a bucket (AWS Signature Version 4, contents included), and asks again what can heal. */
export function askBucket(bucket: Bucket, timeoutMs = TIMEOUT_MS): AskBucket {
  const { address, region, accessKey: accessKeyId, secretKey: secretAccessKey } = bucket;
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  return async (method, key, { query = {}, headers = {}, body, expected = [], isStreamed = false } = {}) => {
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const url = `${address}/${encodeKey(key)}${search === '' ? '' : `?${search}`}`;
    const sha256 = await digestOf(body);
    const bytes = body instanceof Blob ? body.size : (body?.length ?? 0);
    const send = async () => {
      const limit = timeLimit(timeoutMs + Math.ceil(bytes / MIN_BYTES_PER_SECOND) * 1000);
      const request = await signer.sign(url, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': sha256 },
        body: body ?? null,
        signal: limit.signal,
      });
      const answer = await fetch(request);
      // Where nothing more of it comes for five minutes, `fetch` itself gives up.
      if (isStreamed && answer.ok) limit.lift();
      return answer;
    };
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send().catch((error: unknown) => bucketUnreachable(bucket, method, key, error));
      if (answer instanceof Response && (answer.ok || expected.includes(answer.status))) return answer;
      const mayHeal = !(answer instanceof Response) || HEALING.has(answer.status);
      if (attempt === ATTEMPTS || !mayHeal)
        throw answer instanceof Response ? await bucketRefused(bucket, method, key, answer) : answer;
      if (answer instanceof Response) await answer.body?.cancel();
      await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  };
}

/** As `AbortSignal.timeout`, until it is lifted. */
function timeLimit(timeoutMs: number): { signal: AbortSignal; lift: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(new DOMException(`Took longer than ${timeoutMs} ms.`, 'TimeoutError'));
  const timer = setTimeout(abort, timeoutMs).unref();
  return { signal: controller.signal, lift: () => clearTimeout(timer) };
}

async function digestOf(body: BucketQuestion['body']): Promise<string> {
  const hash = createHash('sha256');
  if (body instanceof Blob) for await (const chunk of body.stream()) hash.update(chunk);
  else hash.update(body ?? '');
  return hash.digest('hex');
}

/** As signatures are made of them: everything but unreserved characters percent-encoded. */
function encodeKey(key: string): string {
  return key
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');
}

/** Nothing answered, or not in time. */
export function bucketUnreachable(bucket: Bucket, method: string, key: string, cause: unknown): SortimentError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const why = messageOf(inner);
  return new SortimentError('BUCKET_UNREACHABLE', `${nameOf(bucket, method, key)}: nothing answers: ${why}`, {
    hint: 'Check FILES_BUCKET, and that its server is running.',
    cause,
  });
}

/** The answer of a bucket that was none. */
async function bucketRefused(bucket: Bucket, method: string, key: string, answer: Response): Promise<SortimentError> {
  const [, code = '', reason = ''] = SAID.exec(await answer.text().catch(() => '')) ?? [];
  const message = `${nameOf(bucket, method, key)}: ${[answer.status, code, reason].filter(Boolean).join(' ')}`;
  if (answer.status === 404 && (key === '' || code === 'NoSuchBucket'))
    return new SortimentError('BUCKET_MISSING', message, { hint: 'Create the bucket, or correct FILES_BUCKET.' });
  if (answer.status === 401 || answer.status === 403)
    return new SortimentError('BUCKET_REFUSED', message, {
      hint: 'Check FILES_ACCESS_KEY, FILES_SECRET_KEY, FILES_REGION and the clock of this machine; the key has to be allowed to list the bucket and to read, write and delete in it.',
    });
  return new SortimentError('BUCKET_FAILED', message, {
    hint: 'The log of the server that keeps the bucket says more.',
  });
}

/** `[PUT] "https://s3.example.com/files/uploads/a.jpg"` */
function nameOf({ address }: Bucket, method: string, key: string): string {
  return `[${method}] "${key === '' ? address : `${address}/${key}`}"`;
}

/** A bucket that an S3-compatible server keeps, and the key to it. */
export interface Bucket {
  /** With its name, as host or as path: `https://s3.example.com/my-files`, `https://my-files.s3.example.com`. */
  address: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/**
 * The bucket that the environment names: `FILES_BUCKET`, `FILES_REGION`, `FILES_ACCESS_KEY`, `FILES_SECRET_KEY`. Empty
 * values count as not set. `undefined` without `FILES_BUCKET`: files lie in the data folder.
 *
 * @throws {SortimentError} BUCKET_INVALID; values are never printed
 */
export function readBucket(variables: Readonly<Record<string, string | undefined>>): Bucket | undefined {
  if (!variables['FILES_BUCKET']) return undefined;
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
  const reading = readValue(environment, given);
  if (!reading.ok)
    throw new SortimentError(
      'BUCKET_INVALID',
      `The settings of the bucket have a problem:\n${formatProblems(reading.problems)}`,
      { hint: 'Correct them in .env or in the shell, or leave FILES_BUCKET empty to keep files in the data folder.' },
    );
  const { FILES_BUCKET, FILES_REGION, FILES_ACCESS_KEY, FILES_SECRET_KEY } = reading.value;
  return {
    address: trimEndOf(FILES_BUCKET, '/'),
    region: FILES_REGION,
    accessKey: FILES_ACCESS_KEY,
    secretKey: FILES_SECRET_KEY,
  };
}
