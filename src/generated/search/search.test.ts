import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { isSortimentError } from '#contracts/index.ts';
import { findRecords } from '#catalogue/search/find-records.ts';
import type { SearchFile } from '#catalogue/search/search-file.ts';
import { SearchIndex } from '#catalogue/search/search-index.ts';
import {
  byId,
  createEpisode,
  createHead,
  createPost,
  createProduct,
  languages,
} from '#catalogue/testing/write-snapshot.ts';
import { openTestSite, type TestSite } from '../testing/test-generators.ts';
import { readSearchRules } from './search-rules.ts';
import { search } from './search.ts';

const FILE = '_search/de-de/index.json';

let site: TestSite | undefined;
afterEach(() => {
  site?.close();
  site = undefined;
});

const product = (number: 1 | 2, more: Parameters<typeof createProduct>[0] = {}) => ({
  language: 'de-de',
  record: createProduct({
    gtin: number === 1 ? '9524010000016' : '9524010000023',
    name: `Band ${number}`,
    item_number: `HW-${number}`,
    language: 'de-de',
    ...more,
  }),
  position: number,
});
const catalogue = (products: ReturnType<typeof product>[], records: Record<string, unknown> = {}) => ({
  records: { language: languages('de-de'), ...records },
  products,
});
const find = (query: string): string[] => {
  const index = new SearchIndex('de-de', JSON.parse(site?.files.get(FILE) ?? '') as SearchFile);
  const { count, hits } = findRecords(index, query);
  return hits(0, count).map(({ title }) => title);
};

it('is rebuilt when something that is searched has changed, and not for a price', async () => {
  const both = [product(1), product(2)];
  site = openTestSite(catalogue(both));
  await site.update([search]);
  expect(site.written).toContain(FILE);
  const before = site.files.get(FILE);

  site.write(catalogue([product(1, { price: 99.5, availability: 'limited' }), product(2)]));
  await site.update([search]);
  expect(site.written).toEqual([]);

  site.write(catalogue([product(1, { materials: [{ name: 'Träger', value: 'Polyestervlies' }] }), product(2)]));
  await site.update([search]);
  expect(find('Polyestervlies')).toEqual(['Band 1']);

  site.write(catalogue(both.slice(0, 1)));
  await site.update([search]);
  expect(find('Band')).toEqual(['Band 1']);

  site.write(catalogue(both));
  await site.update([search]);
  expect(site.files.get(FILE)).toBe(before);
});

it('is rebuilt only in the language of an edited article', async () => {
  const withPost = (title: string) =>
    catalogue([product(1)], {
      language: languages('de-de', 'en-gb'),
      post: byId(createPost({ id: 1, slug: 'fugen', title })),
    });
  site = openTestSite(withPost('Fugen'));
  await site.update([search]);
  expect(site.files.has('_search/en-gb/index.json')).toBe(true);
  site.write(withPost('Dächer'));
  await site.update([search]);
  expect(find('Dächer')).toEqual(['Dächer']);
  expect(site.written.filter((file) => file.startsWith('_search/en-gb/'))).toEqual([]);
});

it('is rebuilt only in the language of an edited transcript', async () => {
  const url = 'https://media.example/folge.vtt';
  const withTranscript = (digest: string) => ({
    ...catalogue([product(1)], {
      language: languages('de-de', 'en-gb'),
      episode: byId({ ...createEpisode({ id: 1, slug: 'folge' }), transcripts: [url] }),
    }),
    assets: [{ url, kind: 'transcript' as const, digest, file: `${digest}.vtt` }],
  });
  site = openTestSite(withTranscript('a'));
  mkdirSync(site.settings.assetsFolder, { recursive: true });
  for (const [name, text] of Object.entries({ a: 'Dachlatte', b: 'Kellerdecke' }))
    writeFileSync(path.join(site.settings.assetsFolder, `${name}.vtt`), `WEBVTT\n\n00:00.000 --> 00:01.000\n${text}\n`);
  await site.update([search]);
  site.write(withTranscript('b'));
  await site.update([search]);
  expect(site.written).toContain(FILE);
  expect(site.written.filter((file) => file.startsWith('_search/en-gb/'))).toEqual([]);
});

it('includes half a character', async () => {
  site = openTestSite(catalogue([product(1, { intro: 'half \ud800 of one' }), product(2)]));
  await site.update([search]);
  expect(find('half')).toEqual(['Band 1']);
});

it('finds articles and episodes, and no hidden ones', async () => {
  const records = {
    post: byId(
      createPost({ id: 1, slug: 'fugen', title: 'Fugen verarbeiten' }),
      createPost({ id: 2, slug: 'b', title: 'Zwei' }),
    ),
    episode: byId(createEpisode({ id: 3, slug: 'folge', title: 'Folge über Dächer' })),
  };
  site = openTestSite(catalogue([product(1)], records));
  await site.update([search]);
  expect([find('Fugen'), find('Dächer'), find('Journal')].map(([first]) => first)).toEqual([
    'Fugen verarbeiten',
    'Folge über Dächer',
    'Journal',
  ]);
  const head = createHead({ id: 'post/1', subject: { kind: 'post', id: 1 }, robots: ['noindex'] });
  site.write(catalogue([product(1)], { ...records, head: byId(head) }));
  await site.update([search]);
  expect(find('Fugen')).toEqual([]);
});

const ROOT = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-synonyms-'));
mkdirSync(path.join(folder, 'content/search'), { recursive: true });
const put = (file: string, text: string) => writeFileSync(path.join(folder, 'content/search', file), text);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the files with search rules', () => {
  it.each([
    ['de-de', 'Dampfbremse', 'Dampfsperre'],
    ['en-gb', 'vapour barrier', 'VCL'],
    ['fr-fr', 'pare-vapeur', 'frein-vapeur'],
  ])('of the project can be read, %s', (language, one, other) => {
    const { synonyms } = readSearchRules([ROOT], language);
    expect(synonyms.some((group) => group.includes(one) && group.includes(other))).toBe(true);
  });

  it('may be missing, and a region adds to its language', () => {
    put('de.yaml', 'synonyms:\n  - [a, b]\nparts: [band]\n');
    put('de-at.yaml', 'synonyms:\n  - [Marille, Aprikose]\nignored: [und]\n');
    expect(readSearchRules([folder], 'it-it')).toEqual({ synonyms: [], parts: [], ignored: [] });
    expect(readSearchRules([folder], 'de-at')).toEqual({
      synonyms: [
        ['Marille', 'Aprikose'],
        ['a', 'b'],
      ],
      parts: ['band'],
      ignored: ['und'],
    });
  });

  it.each([
    ['synonyms:\n  - [a]\n  - [b, no]\n  - c: d\n', /synonyms\[0\] has fewer than two words/],
    ['synonyms: Dampfbremse\n', /synonyms is not a list of groups/],
    ['groups: []\n', /groups is not a known option/],
    ['synonyms: [\n', /not valid YAML/],
  ])('say what is wrong and what to do: %j', (text, problem) => {
    put('fr.yaml', text);
    try {
      readSearchRules([folder], 'fr-fr');
      expect.unreachable();
    } catch (error) {
      if (!isSortimentError(error)) throw error;
      expect(error.message).toMatch(problem);
      expect(error.message).toContain('content/search/fr.yaml');
      expect(error.hint).toContain('synonyms:');
    }
  });
});
