/** Formats a count: `1 token`, `2 tokens`. */
export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
