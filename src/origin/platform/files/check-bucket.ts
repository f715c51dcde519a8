import { askBucket } from './ask-bucket.ts';
import { listKeys } from './list-keys.ts';
import type { Bucket } from './read-bucket.ts';

/** Whether a bucket is there and may be listed. @throws {SortimentError} BUCKET_UNREACHABLE, BUCKET_MISSING, BUCKET_REFUSED */
export async function checkBucket(bucket: Bucket): Promise<void> {
  await listKeys(askBucket(bucket), '', { pageSize: 1 }).next();
}
