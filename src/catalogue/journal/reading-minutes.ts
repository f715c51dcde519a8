import { stripTags } from '#contracts/index.ts';
const WORDS_PER_MINUTE = 200;

/** Minutes that a text takes to read, at least one. */
export function readingMinutes(html: string): number {
  const words = stripTags(html, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}
