export type { DirectoryList, DirectoryRow } from '../port/directory.ts';
