import { join } from 'node:path';
import { diskFiles } from './disk-files.ts';
import type { OriginFiles } from './file-store.ts';
import { type Bucket, s3Files } from './s3-files.ts';

/** Opens the file stores of an origin, in a bucket if one is given, else in a local folder. */
export function originFiles(filesFolder: string, bucket?: Bucket): OriginFiles {
  const open = (name: string) => (bucket ? s3Files(bucket, name) : diskFiles(join(filesFolder, name)));
  return { media: open('media'), uploads: open('uploads') };
}
