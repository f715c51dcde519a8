import { describe, expect, it } from 'vitest';
import { overlayEntry } from './overlay-entry.ts';

const problemsOf = (written: object) =>
  overlayEntry.safeParse(written).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
const hazard = { statements: ['H315'] };

describe('an overlay', () => {
  it('keeps the digits of what a trade unit holds', () => {
    expect(overlayEntry.parse({ content: { value: '0.310', unit: 'l' } }).content?.value.text).toBe('0.310');
  });

  it.each([
    ['a field that nobody knows', { sucessor: 1 }, /sucessor/],
    ['a variable that products do not have', { seo: { title: '%%price%%' } }, /^seo\.title has the variable %%price%%/],
    ['an empty title', { seo: { title: ' ' } }, /^seo\.title is empty: leave the field out instead$/],
    ['a title of a book', { seo: { title: 'x'.repeat(501) } }, /^seo\.title has more than 500 characters$/],
    ['a word for yes', { seo: { noindex: 'ja' } }, /^seo\.noindex is neither true nor false$/],
    ['a wrong check digit', { accessories: ['9524010000024'] }, /^accessories\.0 .*check digit 4.* is 9524010000023/],
    ['a product twice', { accessories: ['9524010000023', '9524010000023'] }, /^accessories contains a product twice/],
    ['neither a name nor a list', { variants: 'Two Words' }, /^variants is neither a lower-case name/],
    ['a unit without a price', { content: { value: 1, unit: 'gal' } }, /^content\.unit is not one of kg/],
    ['nothing in the pack', { content: { value: 0, unit: 'l' } }, /^content\.value is not greater than zero/],
    ['coverage of an unknown content', { coverage: { of: 'joint' } }, /^content is missing/],
    [
      'a joint filled by weight',
      { coverage: { of: 'joint' }, content: { value: 1, unit: 'kg' } },
      /^content\.unit is not one of ml, l,/,
    ],
    [
      'an unknown statement',
      { hazard: { statements: ['H999'] } },
      /^hazard\.statements\.0\.code "H999" is not a hazard statement of annex III/,
    ],
    [
      'a pictogram without its signal word',
      { hazard: { ...hazard, pictograms: ['GHS07'] } },
      /^hazard\.signal is missing/,
    ],
    ['a letter of the wrong case', { hazard: { statements: ['H360fd'] } }, /"H360fd" is not a hazard statement/],
    [
      'a part that the wall does not have',
      { layer: 'roof' },
      /^layer is not one of facade, board, insulation, airtight, tape$/,
    ],
    ['an unknown substrate', { uses: { substrates: ['wood'] } }, /^uses\.substrates\.0 is not one of osb, chipboard/],
    [
      'a place that is no list',
      { uses: { place: 'outdoors' } },
      /^uses\.place is not a list, such as \[indoors, outdoors\]$/,
    ],
    ['a place twice', { uses: { place: ['indoors', 'indoors'] } }, /^uses\.place contains a value twice$/],
    ['empty uses', { uses: {} }, /^uses is empty: leave the field out instead$/],
    ['a season', { uses: { from: -5, season: ['winter'] } }, /season/],
    [
      'a substrate with and without a primer',
      { uses: { substrates: ['metal', 'concrete'], primed: ['concrete'] } },
      /^uses\.primed repeats concrete of `substrates`/,
    ],
    ['EUH208 without a substance', { hazard: { statements: ['EUH208'] } }, /^hazard\.contains is missing/],
  ])('refuses %s and says what to do', (_, written, problem) => {
    expect(problemsOf(written)).toEqual([expect.stringMatching(problem)]);
  });
});
