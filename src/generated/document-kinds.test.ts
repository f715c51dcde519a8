import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { digitalLinks } from './digital-link/digital-links.ts';
import { documents } from './documents/documents.ts';
import { familyZips } from './documents/family-zips.ts';
import { feeds } from './feeds/feeds.ts';
import { markdownFiles } from './markdown/markdown.ts';
import { search } from './search/search.ts';
import { openTestSite, type TestSite } from './testing/test-generators.ts';
import { trade } from './trade/trade.ts';

const url = (name: string): string => `https://media.example/${name}`;
const asset = (name: string, digit: string) => {
  const [, extension = ''] = name.split('.');
  const file = { digest: digit.repeat(64), file: `${digit}.${extension}`, bytes: 5, reachable: true };
  return { url: url(name), kind: 'document' as const, mimeType: 'application/octet-stream', ...file };
};
const product = (gtin: string, position: number, drawings: string[]) => ({
  language: 'de-de',
  position,
  family: 'tapes',
  record: {
    ...createProduct({ gtin, name: `Band ${position}`, item_number: `A${position}` }),
    documents: [...drawings.map((name) => ({ kind: 'cad', url: url(name) })), { kind: 'paint', url: url('p.pdf') }],
  },
});

let site: TestSite;
beforeAll(async () => {
  site = openTestSite(
    {
      records: {
        language: languages('de-de'),
        family: [{ id: 'tapes', record: { id: 'tapes', names: { de: 'Bänder' }, descriptions: {} } }],
      },
      products: [product('9524010000016', 0, ['a.dwg', 'b.dwg']), product('9524010000023', 1, ['a.dwg'])],
      assets: [asset('a.dwg', 'a'), asset('b.dwg', 'b'), asset('p.pdf', 'c')],
    },
    {
      documentKinds: [{ key: 'cad' }, { key: 'paint', labels: { de: 'Farbkarte' } }, { key: 'bim' }],
      shops: { trade: ['bmecat'] },
    },
  );
  mkdirSync(site.settings.assetsFolder, { recursive: true });
  for (const name of ['a.dwg', 'b.dwg', 'c.pdf'])
    writeFileSync(path.join(site.settings.assetsFolder, name), `file ${name}`);
  await site.update([documents, familyZips, feeds, trade, search, markdownFiles, digitalLinks]);
});
afterAll(() => site.close());

it('lists and packs documents of further kinds with their file types', () => {
  const csv = site.files.get('de-de/downloads/documents.csv') ?? '';
  expect(csv.match(/"(cad|paint)";"de-de";"[^"]*"/g)).toEqual([
    expect.stringMatching(/"cad".*\/documents\/aaaaaaaa-a\.dwg"/),
    expect.stringMatching(/"cad".*\/documents\/bbbbbbbb-b\.dwg"/),
    expect.stringMatching(/"paint".*\/documents\/cccccccc-p\.pdf"/),
    expect.stringMatching(/"cad".*\/documents\/aaaaaaaa-a\.dwg"/),
    expect.stringMatching(/"paint".*\/documents\/cccccccc-p\.pdf"/),
  ]);
  const zip = site.bytesOf('de-de/products/tapes/downloads/cad/tapes-cad.zip') ?? new Uint8Array();
  expect(Object.keys(unzipSync(zip))).toEqual([
    '9524010000016 A0 Band 0 CAD-Zeichnung.dwg',
    'A0 Band 0 CAD-Zeichnung.dwg',
    'A1 Band 1 CAD-Zeichnung.dwg',
  ]);
  expect([...site.files.keys()].filter((file) => file.endsWith('.zip'))).toHaveLength(2);
});

it('offers them in feeds, BMEcat, search, Markdown and Digital Links', () => {
  const [first = ''] = (site.files.get('feeds/de-de/products.ndjson') ?? '').split('\n');
  expect((JSON.parse(first) as FeedProduct).documents.map(({ kind, media_type }) => [kind, media_type])).toEqual([
    ['cad', 'image/vnd.dwg'],
    ['cad', 'image/vnd.dwg'],
    ['paint', 'application/pdf'],
  ]);
  expect(site.files.get('feeds/de-de/bmecat.xml')).toMatch(/a\.dwg<\/MIME_SOURCE>\s*<MIME_DESCR>CAD-Zeichnung</);
  const searchFile = [...site.files].find(([file]) => file.includes('search') && file.endsWith('.json'))?.[1] ?? '';
  expect(searchFile).toContain('Farbkarte');
  const [, markdown = ''] = [...site.files].find(([file]) => file.endsWith('.html.md')) ?? [];
  expect(markdown).toMatch(/- CAD-Zeichnung: \[a\.dwg\]\(\S+\)\n/);
  expect(markdown).toMatch(/- Farbkarte: \[p\.pdf\]\(\S+\) \(Deutsch\)/);
  expect(site.files.get('01/09524010000016/linkset.json')).toContain('"title":"CAD-Zeichnung: Band 0"');
});
