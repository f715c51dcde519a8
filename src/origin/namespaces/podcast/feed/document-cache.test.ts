import { expect, test } from 'vitest';
import { DocumentCache } from './serve-feeds.ts';

/** Creates a cache of texts that records which keys it makes. */
function createTextCache(measure: (text: string) => number) {
  const made: string[] = [];
  let state = 'one';
  const cache = new DocumentCache<string>(() => Promise.resolve(state), measure);
  const get = (key: string) =>
    cache.get(key, () => {
      made.push(key);
      return Promise.resolve(key.startsWith('no') ? undefined : `text of ${key}`);
    });
  return { get, made, change: (next: string) => (state = next) };
}

test('makes a feed once while it is requested regularly, however many others are requested in between', async () => {
  const { get, made, change } = createTextCache(() => 1000);
  for (let i = 0; i < 300; i++) {
    await get(`page ${i}`);
    await get(`no show ${i}`);
    expect(await get('feed')).toBe('text of feed');
  }
  await Promise.all(Array.from({ length: 300 }, (_, i) => get(`no show ${i}`)));
  await get('feed');
  expect(made.filter((key) => key === 'feed')).toHaveLength(1);
  // The least recently used page was evicted.
  await get('page 0');
  expect(made.filter((key) => key === 'page 0')).toHaveLength(2);
  change('two');
  await get('feed');
  expect(made.filter((key) => key === 'feed')).toHaveLength(2);
});

test('caches large documents only up to the total limit', async () => {
  const { get, made } = createTextCache(() => 30_000_000);
  for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await get(key);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});
