import { stripTags } from '#contracts/index.ts';
import { countWords } from './text/sentences.ts';

const WORDS_PER_MINUTE = 200;

/** Returns the reading time of HTML in minutes: at least 1, or 0 without words. */
export function readingMinutes(html: string): number {
  const words = countWords(stripTags(html, ' '));
  return words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}
