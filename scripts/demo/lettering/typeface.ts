import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';

const TAG_LENGTH = 4;

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

/**
 * The plain font inside a WOFF 1 file (W3C WOFF, section 3): the same tables, each inflated. Reading glyphs from
 * the packed file would inflate its tables in JavaScript, again for every document.
 * @throws Error if the file is not WOFF 1.
 */
function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, TAG_LENGTH) !== 'wOFF') throw new Error('Not a WOFF file');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, i) => {
    const entry = 44 + i * 20;
    const offset = woff.readUInt32BE(entry + 4);
    const packed = woff.readUInt32BE(entry + 8);
    const length = woff.readUInt32BE(entry + 12);
    const body = woff.subarray(offset, offset + packed);
    return {
      tag: woff.subarray(entry, entry + TAG_LENGTH),
      checksum: woff.readUInt32BE(entry + 16),
      body: packed < length ? inflateSync(body) : body,
    };
  });
  const power = 2 ** Math.floor(Math.log2(count));
  const head = Buffer.alloc(12 + count * 16);
  woff.copy(head, 0, TAG_LENGTH, 8);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(power * 16, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE((count - power) * 16, 10);
  const parts: Buffer[] = [head];
  let offset = head.length;
  for (const [i, { tag, checksum, body }] of tables.entries()) {
    const entry = 12 + i * 16;
    tag.copy(head, entry);
    head.writeUInt32BE(checksum, entry + 4);
    head.writeUInt32BE(offset, entry + 8);
    head.writeUInt32BE(body.length, entry + 12);
    const padding = (4 - (body.length % 4)) % 4;
    parts.push(body, Buffer.alloc(padding));
    offset += body.length + padding;
  }
  return Buffer.concat(parts);
}
