import { SortimentError } from '#contracts/index.ts';
import type { Bucket } from './read-bucket.ts';

/** What a bucket's server says of an error, in XML; of HEAD it says nothing. */
const SAID = /<Code>([^<]*)<\/Code>(?:[\s\S]*?<Message>([^<]*)<\/Message>)?/;

/** Nothing answered, or not in time. */
export function bucketUnreachable(bucket: Bucket, method: string, key: string, cause: unknown): SortimentError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const why = inner instanceof Error ? inner.message : String(inner);
  return new SortimentError('BUCKET_UNREACHABLE', `${nameOf(bucket, method, key)}: nothing answers: ${why}`, {
    hint: 'Check FILES_BUCKET, and that its server is running.',
    cause,
  });
}

/** The answer of a bucket that was none. */
export async function bucketRefused(
  bucket: Bucket,
  method: string,
  key: string,
  answer: Response,
): Promise<SortimentError> {
  const [, code = '', message = ''] = SAID.exec(await answer.text().catch(() => '')) ?? [];
  const told = `${nameOf(bucket, method, key)}: ${[answer.status, code, message].filter(Boolean).join(' ')}`;
  if (answer.status === 404 && (key === '' || code === 'NoSuchBucket'))
    return new SortimentError('BUCKET_MISSING', told, { hint: 'Create the bucket, or correct FILES_BUCKET.' });
  if (answer.status === 401 || answer.status === 403)
    return new SortimentError('BUCKET_REFUSED', told, {
      hint: 'Check FILES_ACCESS_KEY, FILES_SECRET_KEY, FILES_REGION and the clock of this machine; the key has to be allowed to list the bucket and to read, write and delete in it.',
    });
  return new SortimentError('BUCKET_FAILED', told, { hint: 'The log of the server that keeps the bucket says more.' });
}

/** `[PUT] "https://s3.example.com/files/uploads/a.jpg"` */
function nameOf({ address }: Bucket, method: string, key: string): string {
  return `[${method}] "${key === '' ? address : `${address}/${key}`}"`;
}
