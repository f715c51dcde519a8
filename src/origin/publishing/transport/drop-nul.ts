/** Takes out the one character that the store can not keep in a text. */
export function dropNul(text: string): string {
  return text.replaceAll('\0', '');
}
