import { expect, test, vi } from 'vitest';
import { findFormChanges, renderDisplayedDigests } from './edit-page.ts';

const shownOf = async (fields: Record<string, string>) => {
  const [, value = ''] = /value="([^"]*)"/.exec(String(await renderDisplayedDigests(fields))) ?? [];
  return value.replaceAll('&quot;', '"');
};

test('a text with the line breaks of a browser is unchanged', async () => {
  const stored = { content: 'a\nb\n\nc\rd' };
  const shown = await shownOf(stored);
  for (const sent of ['a\r\nb\r\n\r\nc\r\nd', 'a\rb\r\rc\rd', 'a\nb\n\nc\nd'])
    expect(findFormChanges({ shown, content: sent }, stored).changed.size, JSON.stringify(sent)).toBe(0);
  for (const sent of ['a\r\nb\r\nc\r\nd', 'a\n\rb\n\nc\nd', 'a b\n\nc\rd'])
    expect(findFormChanges({ shown, content: sent }, stored).changed.size, JSON.stringify(sent)).toBe(1);
});

test('displayed digests are parsed only up to the size that a page can have', async () => {
  const rows = Array.from({ length: 40 }, (_, n) => [`description-${999_999_999_999_999 - n}`, 'x'.repeat(n)]);
  const fields = Object.fromEntries(rows) as Record<string, string>;
  const theirs = Object.fromEntries(Object.keys(fields).map((name) => [name, 'theirs']));
  const mine = Object.fromEntries(Object.keys(fields).map((name) => [name, 'mine']));
  expect(findFormChanges({ ...mine, shown: await shownOf(fields) }, theirs).conflicts).toHaveLength(40);

  const parse = vi.spyOn(JSON, 'parse');
  expect(findFormChanges({ shown: '['.repeat(9_000_000), title: 'x' }, { title: 'y' }).changed.size).toBe(1);
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});
