import { describe, expect, it } from 'vitest';
import { packNumbers, unpackNumbers } from '#catalogue/directory/fold-number.ts';
import { matchNumbers, numberQuery } from './find-hits.ts';

const row = (gtin: string, item_number: string, name = 'DIFFRANA Vario 75') => ({
  gtin,
  item_number,
  name,
  language: 'de-de',
  slug: `diffrana-vario-75-${gtin}`,
});
const rows = [
  row('9524010000016', 'HW-10110'),
  row('9524010000023', 'HW-10115'),
  row('9524010000030', 'HW-10220'),
  row('0412345000018', 'HW-70108'),
];
const find = (text: string) => {
  const query = numberQuery(text);
  if (!query) return undefined;
  const { exact, partial } = matchNumbers(rows, query, 10);
  return { exact: exact.map(({ gtin }) => gtin), partial: partial.map(({ gtin }) => gtin) };
};

describe('a search by number', () => {
  it.each([
    ['HW-10110'],
    ['hw10110'],
    ['HW 10 110'],
    ['ＨＷ－１０１１０'],
    ['9524010000016'],
    ['952 4010 00001 6'],
    ['09524010000016'],
    ['９５２４０１００００016'],
    ['https://id.example/01/09524010000016/10/LOT?x=1'],
    ['(01)09524010000016(10)A1'],
  ])('takes %s for one product', (text) => {
    expect(find(text)?.exact).toEqual(['9524010000016']);
  });

  it('gives a GTIN-12 its leading zero back', () => {
    expect(find('412345000018')?.exact).toEqual(['0412345000018']);
  });

  it.each([
    ['1011', ['9524010000016', '9524010000023']],
    ['hw-101', ['9524010000016', '9524010000023']],
    ['0000030', ['9524010000030']],
    ['95240100000', ['9524010000016', '9524010000023', '9524010000030']],
  ])('finds %s anywhere in a number', (text, gtins) => {
    expect(find(text)).toEqual({ exact: [], partial: gtins });
  });

  it('finds the product in a carton, and says that it is one', () => {
    expect(numberQuery('19524010000013')).toMatchObject({ gtin13: undefined, problem: 'packaging-level' });
    expect(find('19524010000013')).toEqual({ exact: [], partial: ['9524010000016'] });
  });

  it('says that a check digit is wrong only where the number is whole', () => {
    expect(numberQuery('9524010000017')?.problem).toBe('check-digit');
    expect(numberQuery('952401000001')?.problem).toBeUndefined();
  });

  it.each([['DIFFRANA Vario 75'], ['Dampfbremse'], ['W1'], [''], ['Klebeband 60 mm x 25 m']])(
    'leaves %s to the text search',
    (text) => {
      expect(numberQuery(text)).toBeUndefined();
    },
  );
});

describe('the file with numbers', () => {
  it('gives back what was put into it', () => {
    const odd = [...rows, { ...row('9524010000047', ''), slug: 'another', language: 'en-gb' }];
    expect(unpackNumbers(packNumbers(odd, 'de-de'), 'de-de')).toEqual(odd);
    expect(packNumbers(odd, 'de-de')).toMatchObject({ slugs: { 4: 'another' }, languages: { 4: 'en-gb' } });
  });
});
