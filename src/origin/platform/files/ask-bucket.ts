import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { bucketRefused, bucketUnreachable } from './bucket-errors.ts';
import type { Bucket } from './read-bucket.ts';

export interface BucketQuestion {
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer>;
  /** Statuses that are answers, besides those of success. */
  expected?: readonly number[];
}

/** Asks for a key, or for the bucket itself by an empty one. @throws {SortimentError} BUCKET_… */
export type AskBucket = (method: string, key: string, question?: BucketQuestion) => Promise<Response>;

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;

/** Two writers at once, too many requests, and servers that are not well: the same question can be answered later. */
const HEALING: ReadonlySet<number> = new Set([409, 429, 500, 502, 503, 504]);

/** Signs requests to a bucket (AWS Signature Version 4, contents included), and asks again what can heal. */
export function askBucket(bucket: Bucket): AskBucket {
  const { address, region, accessKey: accessKeyId, secretKey: secretAccessKey } = bucket;
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  return async (method, key, { query = {}, headers = {}, body, expected = [] } = {}) => {
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const url = `${address}/${encodeKey(key)}${search === '' ? '' : `?${search}`}`;
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const send = async () =>
      fetch(
        await signer.sign(url, {
          method,
          headers: { ...headers, 'x-amz-content-sha256': sha256 },
          body: body ?? null,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        }),
      );
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send().catch((error: unknown) => bucketUnreachable(bucket, method, key, error));
      if (answer instanceof Response && (answer.ok || expected.includes(answer.status))) return answer;
      const mayHeal = !(answer instanceof Response) || HEALING.has(answer.status);
      if (attempt === ATTEMPTS || !mayHeal)
        throw answer instanceof Response ? await bucketRefused(bucket, method, key, answer) : answer;
      if (answer instanceof Response) await answer.body?.cancel();
      await setTimeout(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  };
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
