import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createTestContext } from '#origin/testing/test-context.ts';
import { foldText, matchesTerm, parseSearch } from './search-condition.ts';

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

test('the store finds what a text holds when both are folded', async () => {
  const { store } = await createTestContext();
  const long = 'Straße nach Łódź, '.repeat(40);
  const texts = [
    'Äpfel und ÖL',
    'Straße ŒUVRE Ærø',
    'Łódź',
    'ΑΘΉΝΑ Москва',
    'e\u0301te\u0301',
    '[a-z]^$ \\d+ 100%_',
    `${long}.`,
    long,
  ];
  const terms = [
    'apfel',
    'ÄPFEL',
    'Strasse',
    'as',
    'ße',
    'ss',
    'sse œu',
    'OEUVRE AERO',
    'lodz',
    'αθηνα',
    'МОСКВА',
    'Été',
    'e\u0301',
  ];
  const all = [
    ...texts,
    ...terms,
    '',
    '[a-z]',
    '.',
    '\\d',
    'd+',
    '0%',
    '%',
    '_',
    '^',
    '日',
    `${long.slice(1)}.`,
    long.toUpperCase(),
  ];
  const values = sql.join(
    texts.map((text, n) => sql`(${n}::int, ${text}::text)`),
    sql`, `,
  );
  const found = (isExact: boolean) =>
    Promise.all(
      all.map(async (term) => {
        const said = sql<boolean>`${matchesTerm(sql`text`, term, isExact)}`;
        const rows = await store.db
          .select({ said })
          .from(sql`(values ${values}) as v (n, text)`)
          .orderBy(sql`n`);
        return rows.map((row) => row.said);
      }),
    );
  const folded = (says: (text: string, term: string) => boolean) =>
    all.map((term) => texts.map((text) => says(foldText(text), foldText(term))));
  expect(await found(false)).toEqual(folded((text, term) => text.includes(term)));
  expect(await found(true)).toEqual(folded((text, term) => text === term));
  await store.close();
});
