import { expect, it } from 'vitest';
import type { EarlierDocument, StoredAsset } from '#snapshot/index.ts';
import { documentKinds } from '#contracts/product/document-kinds.ts';
import { listDocumentAssets, listEarlierDocuments } from './assets.ts';
import { createProduct } from '#catalogue/testing/write-snapshot.ts';

const NOW = 'https://maker.example/dop-2.pdf';
const asset = (url: string, digest: string): StoredAsset => ({
  url,
  kind: 'document',
  digest: digest.repeat(64),
  file: `${digest}.pdf`,
  bytes: 100,
  mimeType: 'application/pdf',
  width: undefined,
  height: undefined,
  lastModified: undefined,
  etag: undefined,
  reachable: true,
  problem: undefined,
  fetchedAt: undefined,
  checkedAt: '2026-11-20T08:00:00.000Z',
});
const earlier = (url: string, digest: string, day: string): EarlierDocument => ({
  url,
  digest: digest.repeat(64),
  file: `${digest}.pdf`,
  bytes: 90,
  replacedAt: `2026-${day}T08:00:00.000Z`,
});
const snapshotOf = (kept: EarlierDocument[]) => ({
  asset: (url: string) => (url === NOW ? asset(NOW, 'a') : undefined),
  earlierDocuments: () => kept,
});
const MIRROR = { documents: 'mirror', documentKinds: documentKinds.parse([]) } as const;
const ONLY = { page: 'de-de', storedAs: 'de-de' };
const record = createProduct({ declaration_of_performance: NOW });

it('offers each earlier declaration of performance once, at an address of its own', () => {
  const snapshot = snapshotOf([
    earlier(NOW, 'b', '11-03'),
    earlier('https://maker.example/dop-1.pdf', 'c', '10-01'),
    earlier('https://maker.example/copy.pdf', 'c', '09-01'),
    earlier(NOW, 'a', '08-01'),
  ]);
  const kept = listEarlierDocuments(snapshot, record, ONLY, MIRROR);
  expect(kept.map(({ href, replaced }) => [href, replaced.toISOString()])).toEqual([
    ['/documents/bbbbbbbb-dop-2.pdf', '2026-11-03T08:00:00.000Z'],
    ['/documents/cccccccc-dop-1.pdf', '2026-10-01T08:00:00.000Z'],
  ]);
  const [current] = listDocumentAssets(snapshot, record, MIRROR);
  expect(current).toMatchObject({ href: '/documents/aaaaaaaa-dop-2.pdf', digest: 'a'.repeat(64) });
});

it.each([
  [true, undefined, undefined],
  [false, undefined, 'unreachable'],
  [false, { rejected: 1 }, 'rejected'],
])('tells a document that was no PDF from one that could not be reached', (reachable, details, failure) => {
  const current = { ...asset(NOW, 'a'), reachable, details };
  const snapshot = { asset: () => current };
  expect(listDocumentAssets(snapshot, record, MIRROR)).toMatchObject([
    { failure, href: '/documents/aaaaaaaa-dop-2.pdf' },
  ]);
});

it('links what only its server has, and leaves out what no address leads to any more', () => {
  const linked = { ...earlier('https://maker.example/dop-1.pdf', 'c', '10-01'), digest: undefined, file: undefined };
  const kept = listEarlierDocuments(snapshotOf([linked, earlier(NOW, 'b', '09-01')]), record, ONLY, {
    ...MIRROR,
    documents: 'link',
  });
  expect(kept.map(({ href }) => href)).toEqual(['https://maker.example/dop-1.pdf']);
});

it('keeps earlier ones of a product that has none any more', () => {
  const kept = listEarlierDocuments(snapshotOf([earlier(NOW, 'b', '09-01')]), createProduct(), ONLY, MIRROR);
  expect(kept).toHaveLength(1);
});

it('finds those of the page’s own language where it shows a record of another one, each in its own language', () => {
  const french = { ...earlier('https://maker.example/dop-fr.pdf', 'f', '11-05'), language: 'fr-fr' };
  const german = { ...earlier('https://maker.example/dop-1.pdf', 'c', '10-01'), language: 'de-de' };
  const snapshot = {
    ...snapshotOf([]),
    earlierDocuments: ({ language }: { language: string }) => (language === 'fr-fr' ? [french] : [german]),
  };
  const kept = listEarlierDocuments(snapshot, record, { page: 'fr-fr', storedAs: 'de-de' }, MIRROR);
  expect(kept.map(({ href, language }) => [href, language])).toEqual([
    ['/documents/ffffffff-dop-fr.pdf', 'fr-fr'],
    ['/documents/cccccccc-dop-1.pdf', 'de-de'],
  ]);
});
