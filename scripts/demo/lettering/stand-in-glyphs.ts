import type { Path } from 'fontkit';
import { typeface, UNITS_PER_EM, type Weight } from './typeface.ts';

/** An outline on the font's grid: y points up, the baseline is 0. */
export interface StandIn {
  outline: string;
  /** Width in units of the em. */
  advance: number;
}

const drawn = new Map<string, StandIn>();

/**
 * Instrument Sans has no ≥ ≤ ² ³ µ λ ₂. They are composed here from the glyphs it has, so that they match in
 * weight and no document shows a box. Its · touches its neighbours, as in W/(m·K), so it gets air.
 * `undefined` for a character that the font sets well.
 * @throws Error for a character that neither the font nor this file knows.
 */
export function standInGlyph(character: string, weight: Weight): StandIn | undefined {
  const key = `${weight}${character}`;
  const known = drawn.get(key);
  if (known) return known;
  const compose = COMPOSITIONS[character];
  if (!compose) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (typeface(weight).hasGlyphForCodePoint(codePoint)) return undefined;
    throw new Error(`No glyph for "${character}" (U+${codePoint.toString(16).padStart(4, '0')})`);
  }
  const glyph = compose(weight);
  drawn.set(key, glyph);
  return glyph;
}

const COMPOSITIONS: Record<string, (weight: Weight) => StandIn> = {
  '²': (weight) => small('2', weight, 310),
  '³': (weight) => small('3', weight, 310),
  '₂': (weight) => small('2', weight, -140),
  '≥': (weight) => underlined('>', weight),
  '≤': (weight) => underlined('<', weight),
  µ: (weight) => {
    const u = typeface(weight).glyphForCodePoint(0x75);
    const stem = stemWidth(weight);
    return { outline: u.path.toSVG() + box(u.bbox.minX, -200, u.bbox.minX + stem, 60), advance: u.advanceWidth };
  },
  λ: (weight) => {
    const stem = stemWidth(weight) * 1.05;
    const outline =
      `M40 720L${40 + stem * 1.15} 720L${470 + stem * 0.2} 0L${470 - stem * 0.95} 0Z` +
      `M20 0L${222 + stem * 0.1} 520L${258 + stem * 0.6} 452L${20 + stem} 0Z`;
    return { outline, advance: 510 + stem * 0.2 };
  },
  '·': (weight) => {
    const dot = typeface(weight).glyphForCodePoint(0xb7);
    const air = 70;
    return { outline: dot.path.translate(air, 0).toSVG(), advance: dot.advanceWidth + 2 * air };
  },
  '\u202f': () => ({ outline: '', advance: UNITS_PER_EM * 0.14 }),
  '\u2011': (weight) => {
    const hyphen = typeface(weight).glyphForCodePoint(0x2d);
    return { outline: hyphen.path.toSVG(), advance: hyphen.advanceWidth };
  },
};

function underlined(sign: string, weight: Weight): StandIn {
  const { path, advanceWidth, bbox } = typeface(weight).glyphForCodePoint(sign.codePointAt(0) ?? 0);
  const stroke = stemWidth(weight) * 0.85;
  const raised = shift(path, 1, 90);
  return { outline: raised + box(bbox.minX, 0, bbox.maxX, stroke), advance: advanceWidth };
}

/** A digit at superscript size. It is taken from a bolder weight, so that its strokes do not look thin. */
function small(digit: string, weight: Weight, raise: number): StandIn {
  const bolder: Weight = weight < 600 ? 600 : 700;
  const { path, advanceWidth } = typeface(bolder).glyphForCodePoint(digit.codePointAt(0) ?? 0);
  return { outline: shift(path, 0.6, raise), advance: advanceWidth * 0.62 };
}

function shift(path: Path, scale: number, y: number): string {
  return path.transform(scale, 0, 0, scale, 0, y).toSVG();
}

function box(left: number, bottom: number, right: number, top: number): string {
  // Clockwise like the glyphs, or overlaps would become holes.
  return `M${left} ${bottom}L${left} ${top}L${right} ${top}L${right} ${bottom}Z`;
}

/** Width of the upright stroke of the lower-case l. */
function stemWidth(weight: Weight): number {
  const { bbox } = typeface(weight).glyphForCodePoint(0x6c);
  return bbox.maxX - bbox.minX;
}
