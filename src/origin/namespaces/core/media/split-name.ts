import type { FileName } from './clean-file-name.ts';

/** `roof.v2.jpg` as `roof.v2` and `jpg`. */
export function splitName(file: string): FileName {
  const dot = file.lastIndexOf('.');
  return dot <= 0 ? { base: file, extension: '' } : { base: file.slice(0, dot), extension: file.slice(dot + 1) };
}
