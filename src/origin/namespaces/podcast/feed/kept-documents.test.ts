import { expect, test } from 'vitest';
import { Kept } from './kept-documents.ts';

/** What is made of a key, and how often it was. */
function keptTexts(lettersOf: (text: string) => number) {
  const made: string[] = [];
  let state = 'one';
  const kept = new Kept<string>(() => Promise.resolve(state), lettersOf);
  const get = (key: string) =>
    kept.get(key, () => {
      made.push(key);
      return Promise.resolve(key.startsWith('no') ? undefined : `text of ${key}`);
    });
  return { get, made, change: (next: string) => (state = next) };
}

test('a feed that is read again and again is made once, however many others are asked for meanwhile', async () => {
  const { get, made, change } = keptTexts(() => 1000);
  for (let i = 0; i < 300; i++) {
    await get(`page ${i}`);
    await get(`no show ${i}`);
    expect(await get('feed')).toBe('text of feed');
  }
  await Promise.all(Array.from({ length: 300 }, (_, i) => get(`no show ${i}`)));
  await get('feed');
  expect(made.filter((key) => key === 'feed')).toHaveLength(1);
  // Nobody has asked for it for long.
  await get('page 0');
  expect(made.filter((key) => key === 'page 0')).toHaveLength(2);
  change('two');
  await get('feed');
  expect(made.filter((key) => key === 'feed')).toHaveLength(2);
});

test('of large ones only as many are kept as there is room for', async () => {
  const { get, made } = keptTexts(() => 30_000_000);
  for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await get(key);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});
