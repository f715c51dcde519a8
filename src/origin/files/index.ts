export { diskFiles } from './disk-files.ts';
export type { FileStore } from './file-store.ts';
