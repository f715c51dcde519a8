import type { Font, Subset } from 'fontkit';
import { standInGlyph } from '../lettering/stand-in-glyphs.ts';
import { typeface, type Weight } from '../lettering/typeface.ts';

/** Numbers of glyphs that stand for characters which the font lacks: no font has so many of its own. */
const FIRST_STAND_IN = 0x10000;

const made = new Map<Weight, Font>();

/**
 * The font for documents: a character that it lacks is a blank of the right width, with that character in the text of
 * the document. A reader of the text takes `≥` from it and not from what is drawn there.
 */
export function documentTypeface(weight: Weight): Font {
  const known = made.get(weight);
  if (known) return known;
  const font = typeface(weight);
  const ownLayout = font.layout.bind(font);
  const blank = font.glyphForCodePoint(0x20).id;
  const documentFont: Font = Object.create(font, {
    layout: {
      value: (text: string, ...rest: never[]) => {
        const standIn = text.length === 1 ? standInGlyph(text, weight) : undefined;
        const codePoint = text.codePointAt(0) ?? 0;
        return standIn ? blankRun(FIRST_STAND_IN + codePoint, codePoint, standIn.advance) : ownLayout(text, ...rest);
      },
    },
    createSubset: { value: () => withBlanks(font.createSubset(), blank) },
  });
  made.set(weight, documentFont);
  return documentFont;
}

function blankRun(id: number, codePoint: number, advanceWidth: number) {
  return {
    glyphs: [{ id, advanceWidth, codePoints: [codePoint] }],
    positions: [{ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }],
    advanceWidth,
  };
}

/** A subset in which every stand-in is a glyph of its own, and all of them are the blank. */
function withBlanks(subset: Subset, blank: number): Subset {
  const glyphs: unknown = Reflect.get(subset, 'glyphs');
  // Its types leave the list out, and say `boolean` of what is the place in it.
  if (!Array.isArray(glyphs)) throw new TypeError('A subset of fontkit has no list of glyphs');
  const places = new Map<number, number>();
  const include = subset.includeGlyph.bind(subset);
  Reflect.set(subset, 'includeGlyph', (id: number): unknown => {
    if (id < FIRST_STAND_IN) return Reflect.apply(include, undefined, [id]);
    const place = places.get(id) ?? glyphs.push(blank) - 1;
    places.set(id, place);
    return place;
  });
  return subset;
}
