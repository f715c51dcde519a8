/** Minimum length of the longest word, and the class for headings that contain it: `styles/base.css`. */
const SIZES = [
  { above: 33, name: 'words-40' },
  { above: 27, name: 'words-33' },
  { above: 22, name: 'words-27' },
  { above: 18, name: 'words-22' },
];

/**
 * Returns the size class of a heading. Compounds such as `Fensteranschlussfugenabdichtung` are wider than a phone, and
 * not every browser can hyphenate them.
 */
export function longWordClass(text: string): string | undefined {
  const words = text.split(/[\s\u2010-\u2014/-]+/);
  const longest = words.reduce((most, { length }) => Math.max(most, length), 0);
  return SIZES.find(({ above }) => longest > above)?.name;
}
