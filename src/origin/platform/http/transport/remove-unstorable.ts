/** Removes what the store can't represent in a text: NUL characters and lone surrogates. */
export function removeUnstorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
