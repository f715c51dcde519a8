/** Takes out what the store can not keep in a text: the NUL character, and halves of characters. */
export function dropNul(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
