import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { askBucket } from './ask-bucket.ts';
import { fileOutside } from './file-outside.ts';
import type { FileStore, OpenFile } from './file-store.ts';
import { inTurn } from './in-turn.ts';
import { listKeys } from './list-keys.ts';
import type { Bucket } from './read-bucket.ts';

/**
 * Files in a bucket of an S3-compatible server, under keys that begin with a folder. The server makes them appear
 * whole or not at all.
 *
 * Where it knows `If-None-Match: *` (AWS, Cloudflare, MinIO, Ceph), of any number of processes one adds a file.
 * Elsewhere it is looked first, one after the other: then only one process may add files.
 */
export function s3Files(bucket: Bucket, folder: string): FileStore {
  const ask = askBucket(bucket);
  const keyOf = (path: string) => {
    const clean = posix.normalize(path);
    if (path.includes('\0') || clean === '.' || /^(\/|\.\.(\/|$))/.test(clean)) throw fileOutside(path);
    return `${folder}/${clean}`;
  };
  const has = async (key: string) => (await ask('HEAD', key, { expected: [404] })).ok;
  const put = (key: string, bytes: Uint8Array) => ask('PUT', key, { body: new Uint8Array(bytes) });
  const putIfAbsent = (key: string, bytes: Uint8Array) =>
    ask('PUT', key, { body: new Uint8Array(bytes), headers: { 'if-none-match': '*' }, expected: [412, 501] });

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

  const alone = inTurn();
  return {
    async add(path, bytes) {
      const key = keyOf(path);
      if (await knowsConditions()) return (await putIfAbsent(key, bytes)).ok;
      return alone(key, async () => !(await has(key)) && (await put(key, bytes)).ok);
    },
    put: async (path, bytes) => void (await put(keyOf(path), bytes)),
    async read(path) {
      const answer = await ask('GET', keyOf(path), { expected: [404] });
      if (answer.ok) return Buffer.from(await answer.arrayBuffer());
      await answer.body?.cancel();
      return undefined;
    },
    async open(path) {
      const key = keyOf(path);
      const about = await ask('HEAD', key, { expected: [404] });
      return about.ok ? describe(about, (headers) => ask('GET', key, { headers })) : undefined;
    },
    has: async (path) => has(keyOf(path)),
    remove: async (path) => void (await ask('DELETE', keyOf(path), { expected: [404] })),
    async list(path) {
      const found = [];
      for await (const { key, writtenAt } of listKeys(ask, `${keyOf(path)}/`, { delimiter: '/' }))
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
