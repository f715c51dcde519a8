import { existsSync, readFileSync, readdirSync } from 'node:fs';
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

it('closes every block of code before the text goes on', () => {
  const blocks = readme.split(/^```.*$/m).filter((_, index) => index % 2 === 1);
  expect(blocks.filter((block) => /\*\*|\]\(/.test(block))).toEqual([]);
});

it('shows pictures and names rooms that exist', async () => {
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, place = '']) => place);
  const rooms = [...readme.matchAll(/^(src\/[a-z]+\/|content\/|scripts\/) {2,}/gm)].map(([, place = '']) => place);
  expect(rooms.length).toBeGreaterThan(8);
  for (const place of [...pictures, ...rooms])
    await expect(access(path.join(ROOT, place)), place).resolves.toBeUndefined();
});

it('and those of the folders link to what is there', () => {
  const files = ['src', 'scripts', 'content'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => path.basename(file) === 'README.md' || (folder === 'content' && /^docs\/.*\.md$/.test(file)))
      .map((file) => path.join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(8);
  const dead = ['README.md', ...files].flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map(([, place = '']) => place)
      .filter((place) => !existsSync(path.join(ROOT, path.dirname(file), place)))
      .map((place) => `${file} -> ${place}`),
  );
  expect(dead).toEqual([]);
});
