export const WORDS_PER_MINUTE = 200;

/** How long a text of so many words takes; at least 1 where there is a word. */
export function readingMinutes(words: number): number {
  return words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}
