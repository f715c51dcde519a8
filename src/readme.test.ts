import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.dirname(import.meta.dirname);
const readme = await readFile(path.join(ROOT, 'README.md'), 'utf8');
const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
const environment = await readFile(path.join(ROOT, '.env.example'), 'utf8');

it('names every command of package.json, and no other', () => {
  const named = [...readme.matchAll(/npm (?:run )?(start|test|(?<=run )[a-z]+)/g)].map(([, name]) => name);
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(scripts).toSorted());
});

it('explains only variables that .env.example knows', () => {
  const named = [...readme.matchAll(/`([A-Z][A-Z_]+_[A-Z_]+|PORT)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !environment.includes(name))).toEqual([]);
});

it('shows pictures and names rooms that exist', async () => {
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, place = '']) => place);
  const rooms = [...readme.matchAll(/^(src\/[a-z]+\/|content\/|scripts\/) {2,}/gm)].map(([, place = '']) => place);
  expect(rooms.length).toBeGreaterThan(8);
  for (const place of [...pictures, ...rooms])
    await expect(access(path.join(ROOT, place)), place).resolves.toBeUndefined();
});
