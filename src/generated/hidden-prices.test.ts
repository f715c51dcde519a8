import { afterEach, expect, it } from 'vitest';
import { snapshotLoaders } from '#build/collections/snapshot-loaders.ts';
import { createCollection } from '#catalogue/testing/create-loader-context.ts';
import { withoutEmptyRuns, type ChangeRun, composeChangeFeed, composeChangeRss } from '#catalogue/feeds/change-feed.ts';
import type { ChangeEntry } from '#catalogue/entries/entries.ts';
import { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { GTINS, LANGUAGES, startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import type { FeedDelta } from '#contracts/feed/feed-files.ts';
import { feeds } from './feeds/feeds.ts';
import { markdownFiles } from './markdown/markdown.ts';
import { records } from './records/records.ts';
import { readGenerated } from './testing/test-generators.ts';

const [GTIN = ''] = GTINS;
const WORDS = { lang: 'en', title: 'Changes', description: '', run: String, change: JSON.stringify };
const SITE = { words: WORDS, origin: new URL('https://catalogue.example') };

let upstream: TestUpstream | undefined;
afterEach(() => upstream?.close());

/** Reads generated files, the date of a product's page in each language, and the published changes. */
async function readPublic({ settings, read }: TestUpstream) {
  const files = await readGenerated(settings, [feeds, markdownFiles, records]);
  const host = openUpdatedReaders(settings);
  const dates = LANGUAGES.map((language) => host.productIndex().changedAt(language, GTIN));
  host.close();
  const collection = createCollection(settings.root);
  await collection.load(snapshotLoaders(settings.options).changes);
  const runs = [...collection.entries].map(([id, { data }]) => ({ id, ...(data as ChangeEntry) }));
  const shown: ChangeRun[] = withoutEmptyRuns(runs.toSorted((a, b) => b.at.getTime() - a.at.getTime()));
  return { files, dates, digest: read((snapshot) => snapshot.digest()), shown };
}

/** The catalogue's digest names each state, so files with it are compared without it. */
const ofLanguage = (files: ReadonlyMap<string, string>, language: string) =>
  [...files].filter(([file]) => file.includes(language) && !/\/(delta\/.*|index\.json|sha256sums\.txt)$/.test(file));

it('publishes no trace of a price that changes where prices are hidden, and the change where they are shown', async () => {
  upstream = await startTestUpstream({ price: { show: { de: 'none', en: 'net' } } });
  const { products } = upstream;
  const setPrice = (price: string) => {
    for (const [key, record] of products) if (key.startsWith(GTIN)) products.set(key, { ...record, price });
  };
  setPrice('10.00');
  await upstream.sync({ now: () => new Date('2026-11-21T10:00:00Z') });
  const before = await readPublic(upstream);
  setPrice('12.00');
  const report = await upstream.sync({ now: () => new Date('2026-11-22T10:00:00Z') });
  expect(report.changed).toBe(true);
  const after = await readPublic(upstream);

  expect(ofLanguage(before.files, 'de-de').length).toBeGreaterThan(GTINS.length);
  expect(ofLanguage(after.files, 'de-de')).toEqual(ofLanguage(before.files, 'de-de'));
  expect(after.dates).toEqual([before.dates[0], '2026-11-22T10:00:00.000Z']);
  const [german, english] = LANGUAGES.map((language) => {
    const delta = after.files.get(`feeds/${language}/delta/${before.digest}.json`) ?? '';
    return (JSON.parse(delta) as FeedDelta).put.map(({ gtin, price }) => [gtin, price]);
  });
  expect(german).toEqual([]);
  expect(english).toEqual([[GTIN, '12.00']]);
  expect(after.shown[0]?.changes).toMatchObject([{ language: 'en-gb', fields: ['price'], price: { after: '12.00' } }]);
  for (const feed of [JSON.stringify(composeChangeFeed(after.shown, SITE)), composeChangeRss(after.shown, SITE)])
    expect(feed).not.toContain('de-de');
});

it('has no item for a run that changed nothing but hidden prices', async () => {
  upstream = await startTestUpstream();
  const { products } = upstream;
  for (const [key, record] of products) products.set(key, { ...record, price: '10.00' });
  await upstream.sync();
  const before = await readPublic(upstream);
  for (const [key, record] of products) products.set(key, { ...record, price: '11.00' });
  const report = await upstream.sync();
  expect(report.changed).toBe(true);
  const after = await readPublic(upstream);
  expect(after.shown).toEqual(before.shown);
  expect(after.dates).toEqual(before.dates);
});
