import { splitByGlyphs } from '../lettering/letter.ts';
import { standInGlyph } from '../lettering/stand-in-glyphs.ts';
import { typeface, UNITS_PER_EM, type Weight } from '../lettering/typeface.ts';

export interface TextStyle {
  /** Size of the em and distance of the baselines, in points. */
  size: number;
  leading: number;
  weight: Weight;
  color: string;
}

const widths = new Map<string, number>();

/** Width of a text in points, without wrapping it. */
export function textWidth(text: string, { size, weight }: Pick<TextStyle, 'size' | 'weight'>): number {
  const key = `${weight}${text}`;
  const known = widths.get(key);
  if (known !== undefined) return (known * size) / UNITS_PER_EM;
  const units = splitByGlyphs(text, weight).reduce(
    (sum, part) => sum + (standInGlyph(part, weight)?.advance ?? typeface(weight).layout(part).advanceWidth),
    0,
  );
  widths.set(key, units);
  return (units * size) / UNITS_PER_EM;
}

/**
 * Breaks a text at its spaces into lines no wider than `width` points. A word that is wider is cut. Neither a
 * space before a unit breaks, nor those that French sets before `:` and inside `« »`.
 */
export function wrapText(text: string, width: number, style: Pick<TextStyle, 'size' | 'weight'>): string[] {
  const space = textWidth(' ', style);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const bound = text
    .replace(/ (?=[:;!?»])/g, '\u00a0')
    .replace(/« /g, '«\u00a0')
    .replace(/(?<=\d) (?=[%°]|(mm|cm|m|l|g|kg|h|Pa|kPa)\b)/g, '\u00a0');
  for (const word of bound
    .split(/[ \n\t]+/)
    .filter(Boolean)
    .flatMap((word) => cutToWidth(word, width, style))) {
    const reach = textWidth(word, style);
    if (line && used + space + reach > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    used += (line ? space : 0) + reach;
    line = line ? `${line} ${word}` : word;
  }
  if (line) lines.push(line);
  return lines;
}

function cutToWidth(word: string, width: number, style: Pick<TextStyle, 'size' | 'weight'>): string[] {
  if (textWidth(word, style) <= width) return [word];
  const pieces: string[] = [''];
  for (const character of word) {
    const piece = (pieces.at(-1) ?? '') + character;
    if (textWidth(piece, style) > width && piece.length > 1) pieces.push(character);
    else pieces[pieces.length - 1] = piece;
  }
  return pieces;
}
