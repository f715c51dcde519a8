export { replaceFile } from './replace-file.ts';
export { writeOnce } from './write-once.ts';
