/** Formats a list: `a`, `a and b`, `a, b, and c`. */
export function formatList(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  if (words.length < 2) return last;
  const initial = words.slice(0, -1);
  return initial.length === 1 ? `${initial[0]} and ${last}` : `${initial.join(', ')}, and ${last}`;
}
