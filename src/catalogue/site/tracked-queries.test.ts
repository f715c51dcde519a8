import { expect, it } from 'vitest';
import { digestQuery, addReads, recordQuery, trackedQuery, recordReads, recordSharedReads } from './tracked-queries.ts';

interface Shop {
  prices: Record<string, number>;
}

const price = (shop: Shop, name: string) => recordQuery('price', [name], () => shop.prices[name]);
trackedQuery('price', ['prices'], (shop: Shop, name: string) => shop.prices[name]);
const cheapest = trackedQuery('cheapest', ['prices'], (shop: Shop, limit: number) =>
  Object.keys(shop.prices).filter((name) => (price(shop, name) ?? 0) < limit),
);

const NO_DIGESTS = () => undefined;
const namesIn = (reads: ReadonlyMap<string, string>): string[] => [...reads.keys()];

it('notes what is read while something runs, and of a question nothing but itself', () => {
  const shop: Shop = { prices: { tape: 3, primer: 20 } };
  price(shop, 'tape');
  const { result, reads } = recordReads(NO_DIGESTS, () => [price(shop, 'primer'), cheapest(shop, 10)]);
  expect(result).toEqual([20, ['tape']]);
  expect(namesIn(reads)).toEqual(['price ["primer"]', 'cheapest [10]']);
});

it('answers again what was read, and tells another answer from the same', () => {
  const shop: Shop = { prices: { tape: 3, primer: 20 } };
  const { reads } = recordReads(NO_DIGESTS, () => cheapest(shop, 10));
  const [[read = '', digest] = []] = reads;
  expect(digestQuery({ prices: { tape: 4, primer: 30 } }, read, NO_DIGESTS)).toBe(digest);
  expect(digestQuery({ prices: { tape: 4, primer: 5 } }, read, NO_DIGESTS)).not.toBe(digest);
  expect(digestQuery(shop, 'nobody-asks-this []', NO_DIGESTS)).toBeUndefined();
});

it('takes the digest of an entry for all that is in it', () => {
  const entry = { text: 'a' };
  const { reads } = recordReads(
    (value) => (value === entry ? 'one' : undefined),
    () => recordQuery('entries', [], () => [entry]),
  );
  const [[read = '', digest] = []] = reads;
  trackedQuery('entries', [], (source: { entries: unknown }) => source.entries);
  const changed = { text: 'b' };
  expect(digestQuery({ entries: [changed] }, read, (value) => (value === changed ? 'one' : undefined))).toBe(digest);
  expect(digestQuery({ entries: [changed] }, read, (value) => (value === changed ? 'two' : undefined))).not.toBe(
    digest,
  );
});

it('notes for each page what was read to make something that several show, also while they wait for it', async () => {
  const shop: Shop = { prices: { tape: 3 } };
  const made = recordSharedReads(async () => {
    await Promise.resolve();
    return price(shop, 'tape');
  });
  await made.result;
  const { reads } = recordReads(NO_DIGESTS, () => addReads(made.reads));
  expect(namesIn(reads)).toEqual(['price ["tape"]']);
});

it('refuses an answer that can not be compared', () => {
  expect(() => recordReads(NO_DIGESTS, () => recordQuery('prices', [], () => ({ of: () => 1 })))).toThrow(
    'A query returned a function, which has no digest. Return plain data.',
  );
});

it('refuses a question that is made of more than it says', () => {
  const dearest = trackedQuery('dearest', ['names'], (shop: Shop, name: string) => price(shop, name));
  expect(() => recordReads(NO_DIGESTS, () => dearest({ prices: {} }, 'tape'))).toThrow(
    'Query "dearest" reads undeclared sources: prices. Add them to its sources.',
  );
});
