import charactersByWidth from './character-widths.json' with { type: 'json' };

/**
 * Advance widths of the sans-serif font of search results, in thousandths of the font size. Source: Adobe's free
 * metrics of the Core 14 fonts (Helvetica.afm, in `pdfkit` under `js/data`). Arial has the same widths.
 */
const WIDTHS = new Map(
  Object.entries(charactersByWidth).flatMap(([width, characters]) =>
    [...characters].map((character): [string, number] => [character, Number(width)]),
  ),
);

/** An accented `i` is wider than a plain one. */
const ACCENTED_I = 278;
const EM = 1000;
const UNKNOWN = 556;

const TITLE_FONT_PX = 20;
const DESCRIPTION_FONT_PX = 14;

/** Width of a text as a search result's title, in CSS pixels. */
export function titleWidthPx(text: string): number {
  return widthPx(text, TITLE_FONT_PX);
}

/** Width of a text as a search result's description on one line, in CSS pixels. */
export function descriptionWidthPx(text: string): number {
  return widthPx(text, DESCRIPTION_FONT_PX);
}

function widthPx(text: string, fontPx: number): number {
  let thousandths = 0;
  for (const character of text.normalize('NFC')) thousandths += widthOf(character);
  return Math.round((thousandths * fontPx) / 1000);
}

function widthOf(character: string): number {
  const width = WIDTHS.get(character);
  if (width !== undefined) return width;
  if (/\p{M}|\p{Cf}|\p{Cc}/u.test(character)) return 0;
  const base = character.normalize('NFD').charAt(0);
  if (base === 'i') return ACCENTED_I;
  const baseWidth = WIDTHS.get(base);
  if (baseWidth !== undefined) return baseWidth;
  return /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}/u.test(
    character,
  )
    ? EM
    : UNKNOWN;
}
