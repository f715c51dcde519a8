/** `de, en` as words. */
export function splitWords(text = ''): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
