import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { cachedFolder } from './cached-folder.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

const make = (text: string) => async (folder: string) => {
  mkdirSync(folder);
  await setTimeout(20);
  writeFileSync(join(folder, 'made'), text);
};

test('is made once, whole, by whoever is first', async () => {
  const cache = temporaryFolder();
  const folders = await Promise.all(['a', 'b', 'c'].map((text) => cachedFolder('thing-1', make(text), cache)));
  expect(new Set(folders)).toEqual(new Set([join(cache, 'thing-1')]));
  const made = readFileSync(join(cache, 'thing-1', 'made'), 'utf8');
  await cachedFolder('thing-1', make('later'), cache);
  expect(readFileSync(join(cache, 'thing-1', 'made'), 'utf8')).toBe(made);
  expect(readdirSync(cache)).toEqual(['thing-1']);
});

test('one that failed to be made is not there', async () => {
  const cache = temporaryFolder();
  const failing = cachedFolder(
    'thing-1',
    async (folder) => {
      mkdirSync(folder);
      throw new Error('no space left');
    },
    cache,
  );
  await expect(failing).rejects.toThrow('no space left');
  expect(readdirSync(cache)).toEqual([]);
});

test('what killed makers left, and what was not used for a week, goes when another of its kind is made', async () => {
  const cache = temporaryFolder();
  for (const [name, days] of [
    ['thing-old', 8],
    ['thing-used', 6],
    ['thing-1.x.building', 1],
    ['thing-2.y.building', 0],
    ['other-old', 8],
  ] as const) {
    mkdirSync(join(cache, name));
    utimesSync(join(cache, name), daysAgo(days), daysAgo(days));
  }
  await cachedFolder('thing-1', make('new'), cache);
  expect(readdirSync(cache).toSorted()).toEqual(['other-old', 'thing-1', 'thing-2.y.building', 'thing-used']);
});

test('without being told, it is beside the installed packages', async () => {
  const folder = await cachedFolder(`test-${process.pid}`, make('x'));
  expect(folder).toMatch(/node_modules[\\/]\.cache[\\/]sortiment[\\/]test-\d+$/);
  expect(existsSync(folder)).toBe(true);
  rmSync(folder, { recursive: true });
});
