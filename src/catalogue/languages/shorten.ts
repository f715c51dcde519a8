/** Shortens a text to a number of characters, including the ellipsis. */
export function shorten(text: string, maxCharacters: number): string {
  // A character has at least one code unit, so short texts need no count.
  if (text.length <= maxCharacters) return text;
  const characters = [...text];
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
