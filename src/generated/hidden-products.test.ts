import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import type { FeedIndex } from '#contracts/feed/feed-files.ts';
import { feeds } from './feeds/feeds.ts';
import type { SearchFile } from '#catalogue/search/search-file.ts';
import { search } from './search/search.ts';
import { openTestSite, type TestSite } from './testing/test-generators.ts';

const HIDDEN = '9524010000016';
const SHOWN = '9524010000023';

let site: TestSite | undefined;
let root: string;
afterEach(() => {
  site?.close();
  rmSync(root, { recursive: true });
});

const product = (gtin: string, language: string, position: number) => ({
  language,
  record: createProduct({ gtin, language, name: `Band ${gtin}`, item_number: `HW-${gtin}`, price: '10.00' }),
  position,
});

it('keeps a product out of feeds and search in the languages in which its overlay hides it', async () => {
  root = mkdtempSync(path.join(tmpdir(), 'sortiment-hidden-'));
  mkdirSync(path.join(root, 'content/products/de-de'), { recursive: true });
  symlinkSync(path.resolve(import.meta.dirname, '../../content/strings'), path.join(root, 'content/strings'));
  writeFileSync(path.join(root, `content/products/de-de/${HIDDEN}.mdx`), '---\nseo:\n  noindex: true\n---\n');
  site = openTestSite(
    {
      records: { language: languages('de-de', 'en-gb') },
      products: [HIDDEN, SHOWN].flatMap((gtin, i) => [product(gtin, 'de-de', i), product(gtin, 'en-gb', i)]),
    },
    { price: { show: 'gross', vat: { 'de-de': 19, 'en-gb': 20 } } },
  );
  site.settings.root = root;
  await site.update([feeds, search]);
  const { files } = site;
  const namesHidden = (start: string) =>
    [...files].filter(([file, text]) => file.startsWith(start) && text.includes(HIDDEN)).map(([file]) => file);
  expect(namesHidden('feeds/de-de/')).toEqual([]);
  const german = JSON.parse(files.get('feeds/de-de/index.json') ?? '') as FeedIndex;
  const english = JSON.parse(files.get('feeds/en-gb/index.json') ?? '') as FeedIndex;
  expect([german.products, english.products]).toEqual([1, 2]);
  expect(namesHidden('feeds/en-gb/')).toHaveLength(3);
  const numbersIn = (language: string): string[] =>
    (JSON.parse(files.get(`_search/${language}/index.json`) ?? '') as SearchFile).items;
  expect(numbersIn('de-de')).toEqual([`HW-${SHOWN}`]);
  expect(numbersIn('en-gb')).toEqual([`HW-${HIDDEN}`, `HW-${SHOWN}`]);
});
