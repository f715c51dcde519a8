export type { ByteRange } from './file-store.ts';
export { checkBucket } from './s3-files.ts';
export { diskFiles } from './disk-files.ts';
export { isOlderThan, type FileStore, type OpenFile, type OriginFiles } from './file-store.ts';
export { originFiles } from './origin-files.ts';
export { readBucket, type Bucket } from './s3-files.ts';
