import crypto from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { type Bucket, isSigned } from '../s3-files.ts';

export interface TestBucket extends Bucket {
  /** What was asked: `PUT /files/uploads/a.txt`. */
  asked: string[];
  /** Statuses that the next requests get instead of an answer. */
  failures: number[];
  close(): Promise<void>;
}

const SECRET_KEY = 'secret of a test';

// The server makes the marks of its pages with DES, which OpenSSL has no more.
const { createCipheriv, createDecipheriv } = crypto;
const twice = (bytes: unknown) => Buffer.concat([bytes as Buffer, bytes as Buffer]);
const replaceDes =
  (create: typeof createCipheriv | typeof createDecipheriv) =>
  (name: string, key: unknown, iv: unknown, ...options: []) =>
    name === 'des'
      ? create('aes-128-cbc', twice(key), twice(iv))
      : create(name, key as Buffer, iv as Buffer, ...options);
Object.assign(crypto, {
  createCipheriv: replaceDes(createCipheriv),
  createDecipheriv: replaceDes(createDecipheriv),
});

/**
 * A bucket on a real S3-compatible server, on loopback.
 *
 * @param options.knowsConditions whether the server knows `If-None-Match: *` of writes, as AWS does and this one itself does not
 */
export async function startTestBucket({ knowsConditions = false } = {}): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), 'sortiment-bucket-'));
  const configureBuckets = [{ name: 'files' }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const asked: string[] = [];
  const failures: number[] = [];
  const there = new Set<string>();
  server.middleware.unshift(async (context, next) => {
    const { method, path } = context;
    // The server itself checks the names of keys alone.
    if (!isSigned(context.req, SECRET_KEY)) {
      context.status = 403;
      context.body = '<Error><Code>SignatureDoesNotMatch</Code><Message>Not signed with this key.</Message></Error>';
      return;
    }
    asked.push(`${method} ${path}`);
    const failure = failures.shift();
    if (failure !== undefined) {
      context.status = failure;
      return;
    }
    if (knowsConditions && method === 'PUT') {
      if (there.has(path) && context.get('if-none-match') === '*') {
        context.status = 412;
        return;
      }
      there.add(path);
    }
    if (method === 'DELETE') there.delete(path);
    await next();
  });
  const { port } = await server.run();
  return {
    address: `http://127.0.0.1:${port}/files`,
    region: 'us-east-1',
    accessKey: 'S3RVER',
    secretKey: SECRET_KEY,
    asked,
    failures,
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
