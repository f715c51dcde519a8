/** A text of at most so many characters, with an ellipsis for what was left out. */
export function shorten(text: string, maxCharacters: number): string {
  // Nothing is counted twice: a character has at least one code unit.
  if (text.length <= maxCharacters) return text;
  const characters = [...text];
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
