export type { ByteRange } from './byte-range.ts';
export { checkBucket } from './check-bucket.ts';
export { diskFiles } from './disk-files.ts';
export type { FileStore, OpenFile, OriginFiles } from './file-store.ts';
export { originFiles } from './origin-files.ts';
export { readBucket, type Bucket } from './read-bucket.ts';
