import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { unpackWoff } from './unpack-woff.ts';

/** The weights of Instrument Sans that the demo media use. */
export const WEIGHTS = [400, 500, 600, 700] as const;
export type Weight = (typeof WEIGHTS)[number];

/** Glyphs are drawn on a grid of this many units to the em. */
export const UNITS_PER_EM = 1000;

const require = createRequire(import.meta.url);
const files = new Map<Weight, Buffer>();
const opened = new Map<Weight, Font>();

/** The font as a plain TrueType file: documents embed a subset of it. Read once per weight. */
export function typefaceFile(weight: Weight): Buffer {
  const known = files.get(weight);
  if (known) return known;
  const path = require.resolve(`@fontsource/instrument-sans/files/instrument-sans-latin-${weight}-normal.woff`);
  const file = unpackWoff(readFileSync(path));
  files.set(weight, file);
  return file;
}

/** The opened font, once per weight: pictures take outlines from it. */
export function typeface(weight: Weight): Font {
  const known = opened.get(weight);
  if (known) return known;
  const font = create(typefaceFile(weight));
  if (!('glyphForCodePoint' in font)) throw new Error(`The file of weight ${weight} holds more than one font`);
  opened.set(weight, nameGlyphs(font));
  return font;
}

/**
 * fontkit keeps a glyph as it was first asked for: as a part of another glyph, it has no character, and would have none
 * in the text of every later document. It gets its characters as soon as a text names them.
 */
function nameGlyphs(font: Font): Font {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id, codePoints);
    if (glyph.codePoints.length === 0 && codePoints) glyph.codePoints = codePoints;
    return glyph;
  };
  return font;
}
