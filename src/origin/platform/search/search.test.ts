import { describe, expect, test } from 'vitest';
import { foldText, parseSearch } from './index.ts';

describe('parseSearch', () => {
  test.each([
    ['product, record', ['product', 'record'], []],
    ['"nutrient table" x-ray', ['nutrient table', 'x-ray'], []],
    ['nutrient -barcode', ['nutrient'], ['barcode']],
    ['-barcode', [], ['barcode']],
    ['a roof for the house', ['roof', 'house'], []],
    ['"unclosed phrase', ['unclosed phrase'], []],
    ['the', ['the'], []],
    ['x', ['x'], []],
    ['one two three four five six seven eight nine ten', ['one two three four five six seven eight nine ten'], []],
  ])('%s', (text, wanted, unwanted) => {
    expect(parseSearch(text)).toEqual({ wanted, unwanted, phrase: text });
  });

  test('blank text searches for nothing', () => {
    expect(parseSearch('  ')).toBeUndefined();
  });
});

test.each([
  ['Äpfel und ÖL', 'apfel und ol'],
  ['Straße ŒUVRE Ærø', 'strasse oeuvre aero'],
  ['Łódź', 'lodz'],
  ['ΑΘΉΝΑ Москва', 'αθηνα москва'],
  ['日本語 100%_\\', '日本語 100%_\\'],
])('foldText(%s)', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});
