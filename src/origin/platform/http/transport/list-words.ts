/** `a`, `a and b`, `a, b, and c`. */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  if (words.length < 2) return last;
  const others = words.slice(0, -1);
  return others.length === 1 ? `${others[0]} and ${last}` : `${others.join(', ')}, and ${last}`;
}
