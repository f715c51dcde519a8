import { standInGlyph } from './stand-in-glyphs.ts';
import { typeface, UNITS_PER_EM, type Weight } from './typeface.ts';

export interface LetteringOptions {
  /** Size of the em in user units. */
  size: number;
  x: number;
  /** The baseline. */
  y: number;
  /** @default 500 */
  weight?: Weight;
  /** @default 'start' */
  anchor?: 'start' | 'middle' | 'end';
  /** Extra space after each glyph, in em. @default 0 */
  tracking?: number;
  /** @default '#1c2b33' */
  fill?: string;
  /** @default 1 */
  opacity?: number;
}

/** One line of text as an SVG path, so that a picture does not depend on the fonts of the machine. */
export function letter(text: string, options: LetteringOptions): string {
  const { size, x, y, weight = 500, anchor = 'start', tracking = 0, fill = '#1c2b33', opacity = 1 } = options;
  const scale = size / UNITS_PER_EM;
  const { outlines, width } = outline(text, weight, tracking * UNITS_PER_EM);
  const left = x - (anchor === 'start' ? 0 : width * scale * (anchor === 'middle' ? 0.5 : 1));
  const fade = opacity === 1 ? '' : ` fill-opacity="${opacity}"`;
  return `<g transform="matrix(${round(scale)} 0 0 ${round(-scale)} ${round(left)} ${round(y)})" fill="${fill}"${fade}>${outlines}</g>`;
}

/** Width of a line in user units. */
export function letteringWidth(text: string, size: number, weight: Weight = 500, tracking = 0): number {
  return (outline(text, weight, tracking * UNITS_PER_EM).width * size) / UNITS_PER_EM;
}

/** The parts of a text that the font can set, and the single characters that it cannot. */
export function splitByGlyphs(text: string, weight: Weight): string[] {
  const parts: string[] = [];
  let open = false;
  for (const character of text) {
    const standIn = standInGlyph(character, weight) !== undefined;
    if (open && !standIn) parts.push((parts.pop() ?? '') + character);
    else parts.push(character);
    open = !standIn;
  }
  return parts;
}

function outline(text: string, weight: Weight, tracking: number): { outlines: string; width: number } {
  let pen = 0;
  let outlines = '';
  const place = (path: string, at: number) => {
    if (path) outlines += `<path transform="translate(${round(at)} 0)" d="${path}"/>`;
  };
  for (const part of splitByGlyphs(text, weight)) {
    const standIn = standInGlyph(part, weight);
    if (standIn) {
      place(standIn.outline, pen);
      pen += standIn.advance + tracking;
      continue;
    }
    const run = typeface(weight).layout(part);
    for (const [i, glyph] of run.glyphs.entries()) {
      const position = run.positions[i];
      place(glyph.path.toSVG(), pen + (position?.xOffset ?? 0));
      pen += (position?.xAdvance ?? glyph.advanceWidth) + tracking;
    }
  }
  return { outlines, width: Math.max(0, pen - tracking) };
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
