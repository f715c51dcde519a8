import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gtinCheckDigit } from '#contracts/index.ts';
import { productSlug } from '../addresses/slugs.ts';
import { findRecords, suggestQueries } from './find-records.ts';
import { packSearch, type IndexedRecord } from './search-file.ts';
import { SearchIndex } from './search-index.ts';
import { numberQuery } from './search-query.ts';

const LANGUAGE = 'de-de';

const gtinOf = (number: number): string => {
  const body = `952401${String(number).padStart(6, '0')}`;
  return `${body}${gtinCheckDigit(body)}`;
};

function product(
  number: number,
  title: string,
  summary = '',
  more: Partial<IndexedRecord['product']> = {},
): IndexedRecord {
  const gtin = gtinOf(number);
  const columns = { gtin, item_number: `HW-${10_000 + number}`, slug: productSlug(title, gtin), language: undefined };
  return {
    kind: 'product',
    title,
    path: '',
    product: { ...columns, family: 'tapes', documents: '01', ...more },
    texts: { summary, text: 'Brandverhalten EN 13501-1', documents: 'Datenblatt Sicherheitsdatenblatt' },
  };
}

const page = (kind: IndexedRecord['kind'], title: string, path: string, texts: IndexedRecord['texts'] = {}) => ({
  kind,
  title,
  path,
  texts,
});

const RECORDS: IndexedRecord[] = [
  product(1, 'KLEVENTO Uni 60', 'Dehnfähiges Klebeband innen und außen'),
  product(2, 'KLEVENTO Innen 60', 'Klebeband mit Papierträger für OSB-Stöße'),
  product(3, 'DIFFRANA Vario 75', 'Feuchtevariable Dampfbremse', { family: 'membranes' }),
  product(4, 'HAFTARO Schaum 750', 'Elastischer Einkomponentenschaum für Fenster', { family: undefined }),
  page('family', 'Klebebänder', 'products/tapes/', { names: 'Adhesive tapes' }),
  page('family', 'Dampfbremsen', 'products/membranes/', { names: 'Vapour control membranes' }),
  page('norm', 'EN 13501-1', 'norms/en-13501-1/', { summary: 'Brandverhalten' }),
  page('post', 'Kleben bei Kälte: Was noch hält', 'journal/kaelte/', {
    summary: 'Klebeband',
    text: 'Winter Klebeband außen',
  }),
  page('page', 'Downloads', 'downloads/', { summary: 'Datenblatt' }),
];
const RULES = {
  synonyms: [
    ['Bauschaum', 'PU-Schaum', 'Einkomponentenschaum'],
    ['Dampfbremse', 'Dampfsperre'],
  ],
  parts: ['bremse', 'band', 'bahn'],
  ignored: ['bei', 'für', 'und'],
  labels: ['Datenblatt', 'Sicherheitsdatenblatt', 'Leistungserklärung'],
};

const open = (records = RECORDS, language = LANGUAGE) => {
  const { file, files } = packSearch(records, RULES);
  const opened = new SearchIndex(language, { ...structuredClone(file), version: '' });
  for (const prose of files) opened.addProse(prose);
  return opened;
};
const index = open();
const search = (query: string, ...kind: [kind?: Parameters<typeof findRecords>[2]]) => {
  const { count, hits, corrected, omitted } = findRecords(index, query, ...kind);
  return { titles: hits(0, count).map(({ title }) => title), corrected, omitted };
};
const first = (query: string) => search(query).titles[0];

describe('a search', () => {
  it.each([
    ['Klebebänder', 'Klebebänder'],
    ['klebebaender', 'Klebebänder'],
    ['Adhesive tapes', 'Klebebänder'],
    ['klevento uni', 'KLEVENTO Uni 60'],
    ['DIN EN 13501-1:2019', 'EN 13501-1'],
    ['13501', 'EN 13501-1'],
    ['Dampfsperre', 'Dampfbremsen'],
    ['PU Schaum Fenster', 'HAFTARO Schaum 750'],
    ['Dampfbremsbahn', 'Dampfbremsen'],
    ['kleben bei kälte', 'Kleben bei Kälte: Was noch hält'],
    ['Downloads', 'Downloads'],
  ])('for %s finds %s first', (query, title) => {
    expect(first(query)).toBe(title);
  });

  it.each([
    ['Dampfbrmse', 'Dampfbremse', 'Dampfbremsen'],
    ['Klevetno', 'KLEVENTO', 'KLEVENTO Uni 60'],
    ['Dmapfbrems', 'Dampfbremse', 'Dampfbremsen'],
  ])('corrects %s to %s', (query, word, title) => {
    expect(search(query).corrected?.slice(0, word.length - 1)).toBe(word.slice(0, -1));
    expect(first(query)).toBe(title);
  });

  it('names the words that no product has, and shows the products without them', () => {
    const { titles, omitted } = search('Klebeband außen Winter');
    expect([titles[0], omitted]).toEqual(['KLEVENTO Uni 60', ['Winter']]);
    expect(search('Qqxyzw')).toEqual({ titles: [], corrected: undefined, omitted: ['Qqxyzw'] });
    expect(search('Vario Qqxyzw Qqxyzw')).toMatchObject({ titles: ['DIFFRANA Vario 75'], omitted: ['Qqxyzw'] });
  });

  it('leads to the document of a product', () => {
    const { hits } = findRecords(index, 'Sicherheitsdatenblatt Vario 75');
    expect(hits(0, 1)).toMatchObject([
      {
        kind: 'document',
        title: 'Sicherheitsdatenblatt: DIFFRANA Vario 75',
        path: expect.stringMatching(/#documents$/),
      },
    ]);
    expect(search('Datenblatt Vario 75', 'product').titles).toEqual(['DIFFRANA Vario 75']);
    expect(search('Datenblatt Vario 75', 'document').titles).toEqual(['Datenblatt: DIFFRANA Vario 75']);
    expect(search('Datenblatt Vario 75', 'norm').titles).toEqual([]);
  });

  it.each([
    ['it-it', 'Nastri adesivi', 'nastro adesivo'],
    ['es-es', 'Panel y cinta', 'paneles cintas'],
    ['pt-pt', 'Painel e fita', 'painéis fitas'],
    ['pl-pl', 'Płyty', 'plyty'],
  ])('in %s finds %s by %s, without a correction', (language, title, query) => {
    const { hits, corrected } = findRecords(open([page('family', title, '')], language), query);
    expect([hits(0, 1)[0]?.title, corrected]).toEqual([title, undefined]);
  });

  it('completes a query while it is typed', () => {
    expect(suggestQueries(index, 'kle')).toEqual(expect.arrayContaining(['Klebebänder', 'KLEVENTO']));
    expect(suggestQueries(index, 'Vario da')).toContain('Vario Dampfbremsen');
    expect(suggestQueries(index, '1')).toEqual([]);
  });
});

describe('a search by number', () => {
  const find = (query: string) => {
    const { only, count, hits } = findRecords(index, query);
    return { only: only?.product?.gtin, gtins: hits(0, count).flatMap(({ product: found }) => found?.gtin ?? []) };
  };

  it.each([
    ['HW-10001'],
    ['hw10001'],
    ['HW 10 001'],
    ['ＨＷ－１０００１'],
    [gtinOf(1)],
    [`0${gtinOf(1)}`],
    [`https://id.example/01/0${gtinOf(1)}/10/LOT?x=1`],
    [`(01)0${gtinOf(1)}(10)A1`],
  ])('takes %s for one product', (query) => {
    expect(find(query).only).toBe(gtinOf(1));
  });

  it('finds parts of numbers, numbers with a typo, and numbers among words', () => {
    expect(find('1000').gtins).toHaveLength(4);
    expect(find('hw-1000')).toMatchObject({ only: undefined });
    expect(find(gtinOf(2).slice(4)).gtins).toEqual([gtinOf(2)]);
    expect(find(`${gtinOf(3).slice(0, 11)}9${gtinOf(3).slice(12)}`).gtins).toContain(gtinOf(3));
    expect(first('Datenblatt HW-10003')).toBe('Datenblatt: DIFFRANA Vario 75');
  });

  it('reports wrong check digits of whole numbers, and cartons', () => {
    expect(
      findRecords(
        index,
        gtinOf(1).replace(/.$/, (digit) => String((Number(digit) + 1) % 10)),
      ).problem,
    ).toBe('check-digit');
    expect(numberQuery('952401000001')?.problem).toBeUndefined();
    expect(numberQuery('19524010000013')).toMatchObject({ gtin13: undefined, problem: 'packaging-level' });
  });

  it.each([['DIFFRANA Vario 75'], ['Dampfbremse'], ['W1'], [''], ['Klebeband 60 mm x 25 m']])(
    'leaves %s to the words',
    (text) => {
      expect(numberQuery(text)).toBeUndefined();
    },
  );
});

it.each(['1'.repeat(20_000), 'x'.repeat(20_000), 'EN '.repeat(20_000), `${gtinOf(1)} `.repeat(2_000)])(
  'searches the beginning of a long text only (%#)',
  (text) => {
    expect(findRecords(index, text)).toMatchObject({ count: findRecords(index, text.slice(0, 200)).count });
    expect(suggestQueries(index, text)).toEqual(suggestQueries(index, text.slice(0, 200)));
  },
);

describe('the search file', () => {
  it('has prose in files by the alphabet, for words that it lacks', () => {
    const prose = Array.from({ length: 12_000 }, (_, i) => `wort${(i * 7919).toString(36)}`).join(' ');
    const { file, files } = packSearch(
      [...RECORDS.slice(0, 7), page('post', 'Lang', 'journal/lang/', { prose })],
      RULES,
    );
    expect(files.length).toBeGreaterThan(1);
    const long = new SearchIndex(LANGUAGE, { ...file, version: '' });
    const word = `wort${(7919 * 99).toString(36)}`;
    expect(findRecords(long, word).count).toBe(0);
    const needed = long.filesOf(word);
    expect(needed).toHaveLength(1);
    for (const i of needed) long.addProse(files[i] ?? {});
    expect(findRecords(long, word).hits(0, 1)).toMatchObject([{ title: 'Lang' }]);
  });

  it('returns what was packed', () => {
    expect(index.record(0)).toEqual({
      kind: 'product',
      title: 'KLEVENTO Uni 60',
      path: `p/${productSlug('KLEVENTO Uni 60', gtinOf(1))}/`,
      product: {
        gtin: gtinOf(1),
        item_number: 'HW-10001',
        slug: productSlug('KLEVENTO Uni 60', gtinOf(1)),
        language: undefined,
        family: 'Klebebänder',
        documents: '01',
      },
    });
    expect(index.record(3).product?.family).toBeUndefined();
    const other = open([product(1, 'Name', '', { slug: 'another', language: 'en-gb' }), ...RECORDS.slice(4)]);
    expect(other.record(0)).toMatchObject({ path: 'p/another/', product: { language: 'en-gb' } });
  });

  it('takes 150 kB for 10,000 products at most', () => {
    const names = ['DIFFRANA Vario', 'KLEVENTO Uni', 'HAFTARO Anschluss', 'WARMOLA Flex'];
    const records = Array.from({ length: 10_000 }, (_, i) => {
      const title = `${names[i % 4]} ${(i * 7919) % 10_007}`;
      const item_number = `HW-${(i * 104_729) % 999_983}`;
      return product(i, title, `Klebeband ${i % 97} innen und außen, Klasse ${i % 13}`, { item_number });
    });
    const { file, files } = packSearch([...records, ...RECORDS.slice(4)], RULES);
    const bytes = gzipSync(JSON.stringify(file)).length;
    expect([bytes < 150_000, files]).toEqual([true, []]);
    const large = new SearchIndex(LANGUAGE, { ...file, version: '' });
    expect(findRecords(large, 'Klebeband außen').count).toBeGreaterThanOrEqual(10_000);
  });
});
