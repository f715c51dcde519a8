/** Range of a match: first character, and the one after the last. */
export type TextRange = readonly [start: number, end: number];

const MARKS = /\p{M}/gu;

/**
 * Finds all occurrences of a text, ignoring case, accents and the kind of apostrophe.
 *
 * @returns None for a blank text.
 */
export function findText(text: string, sought: string): TextRange[] {
  const needle = fold(sought.trim()).letters;
  if (needle === '') return [];
  const { letters, positions } = fold(text);
  const found: TextRange[] = [];
  for (let at = letters.indexOf(needle); at >= 0; at = letters.indexOf(needle, at + needle.length))
    found.push([positions[at] ?? 0, positions[at + needle.length] ?? text.length]);
  return found;
}

/** Normalizes a text for comparison, with the original position of each letter. */
function fold(text: string): { letters: string; positions: number[] } {
  let letters = '';
  const positions: number[] = [];
  let position = 0;
  for (const character of text) {
    const plain = character.normalize('NFD').replace(MARKS, '').toLowerCase();
    const folded = plain.replace(/\s/, ' ').replace('ß', 'ss').replace('’', "'");
    letters += folded;
    for (let i = 0; i < folded.length; i++) positions.push(position);
    position += character.length;
  }
  return { letters, positions };
}
