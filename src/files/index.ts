export { replaceFile } from './replace-file.ts';
export { writeOnce } from './replace-file.ts';
