import { expect, test } from 'vitest';
import { matchesEtag, ResponseCache, getStoreState } from './cached-listener.ts';

const KB = 1024;
const answer = (bytes: number) => ({ headers: {}, body: Buffer.alloc(bytes) });
const at = (time: string) => getStoreState(1, Date.parse(`2026-03-29T${time}Z`));
const FIRST = getStoreState(1, 0);

test('evicts the least recently used response beyond the byte limit', () => {
  const cache = new ResponseCache(160 * KB);
  const keys = Array.from({ length: 40 }, (_, n) => `/${n}`);
  for (const key of keys.slice(0, 20)) cache.put(key, FIRST, answer(5 * KB));
  expect(cache.find('/0', FIRST)).toBeDefined();
  for (const key of keys.slice(20)) cache.put(key, FIRST, answer(5 * KB));
  expect(cache.bytes).toBeLessThanOrEqual(160 * KB);
  const found = keys.filter((key) => cache.find(key, FIRST));
  expect(found).toHaveLength(26);
  expect(found).toEqual(['/0', ...keys.slice(-25)]);
  for (let n = 0; n < 10; n += 1) cache.put('/same', FIRST, answer(5 * KB));
  expect(keys.filter((key) => cache.find(key, FIRST))).toHaveLength(25);
});

test('rejects a response larger than its share of the cache', () => {
  const cache = new ResponseCache(160 * KB);
  cache.put('/large', FIRST, answer(10 * KB));
  expect([cache.find('/large', FIRST), cache.bytes]).toEqual([undefined, 0]);
  const roomy = new ResponseCache(1024 * KB * KB);
  roomy.put('/large', FIRST, answer(KB * KB));
  expect(roomy.find('/large', FIRST)).toBeUndefined();
});

test('returns responses of the current state only', () => {
  const cache = new ResponseCache(160 * KB);
  const second = getStoreState(2, 0);
  cache.put('/', FIRST, answer(1));
  expect([cache.find('/', second), cache.bytes]).toEqual([undefined, 0]);
  // Was under way when the store changed.
  cache.put('/', FIRST, answer(1));
  expect([cache.find('/', FIRST), cache.find('/', second)]).toEqual([undefined, undefined]);
  cache.put('/', second, answer(1));
  expect(cache.find('/', FIRST)).toBeUndefined();
  expect(cache.find('/', second)).toBeDefined();
});

test('evicts all responses at the quarter of an hour, as dates and offsets change then', () => {
  const cache = new ResponseCache(160 * KB);
  cache.put('/', at('00:45:00'), answer(1));
  expect(cache.find('/', at('00:59:59.999'))).toBeDefined();
  expect(cache.find('/', at('01:00:00'))).toBeUndefined();
});

test.each([
  ['W/"a"', 'W/"a"', true],
  ['W/"a"', '"x", "a"', true],
  ['"a"', 'W/"a"', true],
  ['"a"', '*', true],
  ['"a"', '"b"', false],
  ['"a"', undefined, false],
])('who has %s is known by %s: %s', (etag, sent, expected) => {
  expect(matchesEtag(etag, sent)).toBe(expected);
});
