/** Letters of the longest word, and the class of a page in whose heading it stands: `styles/base.css`. */
const SIZES = [
  { above: 33, name: 'words-40' },
  { above: 27, name: 'words-33' },
  { above: 22, name: 'words-27' },
  { above: 18, name: 'words-22' },
];

/**
 * Compounds such as `Fensteranschlussfugenabdichtung` are wider than a phone, and not every browser knows where to part
 * them: the heading that has one is set smaller.
 */
export function wordSize(text: string): string | undefined {
  const words = text.split(/[\s\u2010-\u2014/-]+/);
  const longest = words.reduce((most, { length }) => Math.max(most, length), 0);
  return SIZES.find(({ above }) => longest > above)?.name;
}
