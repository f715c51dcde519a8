import { describe, expect, it } from 'vitest';
import { readDemoContent } from '#origin/admin/seed/index.ts';
import { letter, letteringWidth, splitByGlyphs } from './letter.ts';
import { standInGlyph } from './stand-in-glyphs.ts';
import { WEIGHTS } from './typeface.ts';

describe('lettering', () => {
  it('has an outline for every character of the demo products, in every weight', async () => {
    const { products } = await readDemoContent('content/demo');
    const characters = new Set(JSON.stringify(products).replaceAll(/\\n|[\n{}]/g, ''));
    for (const weight of WEIGHTS) {
      for (const character of characters) expect(() => standInGlyph(character, weight)).not.toThrow();
    }
  });

  it('says which character it cannot draw', () => {
    expect(() => letter('漢', { size: 10, x: 0, y: 0 })).toThrow('No glyph for "漢" (U+6f22)');
  });

  it('parts a text only where the font has no glyph', () => {
    expect(splitByGlyphs('≥ 25 m²', 400)).toEqual(['≥', ' 25 m', '²']);
  });

  it('measures in proportion to the size', () => {
    expect(letteringWidth('Haldenwerk', 40)).toBeCloseTo(letteringWidth('Haldenwerk', 20) * 2);
  });
});
