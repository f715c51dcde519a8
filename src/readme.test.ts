import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.dirname(import.meta.dirname);
const DOCS = path.join(ROOT, 'content/docs');
const readme = await readFile(path.join(ROOT, 'README.md'), 'utf8');
const pages = readdirSync(DOCS).map((name) => readFileSync(path.join(DOCS, name), 'utf8'));
const documentation = [readme, ...pages].join('\n');
const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
const environment = await readFile(path.join(ROOT, '.env.example'), 'utf8');

it('names every command of package.json, and no other', () => {
  const named = [...documentation.matchAll(/npm (?:run )?((?<=run )[a-z]+(?::[a-z]+)?|start|test)/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(scripts).toSorted());
});

it('explains every variable of .env.example, and the README no other', () => {
  const named = [...readme.matchAll(/`([A-Z][A-Z_]+_[A-Z_]+|PORT)`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !environment.includes(name))).toEqual([]);
  const variables = [...environment.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(variables.filter((name) => !documentation.includes(`\`${name}\``))).toEqual([]);
});

it('has a README of at most 6,000 bytes, and at most 3,000 in each folder', () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(6000);
  const large = folderPages().filter(({ file, text }) => !file.includes('docs') && Buffer.byteLength(text) > 3000);
  expect(large.map(({ file }) => file)).toEqual([]);
});

it('closes every block of code before the text goes on', () => {
  const blocks = [readme, ...pages].flatMap((page) => page.split(/^```.*$/m).filter((_, index) => index % 2 === 1));
  expect(blocks.filter((block) => /\*\*|\]\(/.test(block))).toEqual([]);
});

it('shows images and lists folders that exist', async () => {
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, place = '']) => place);
  const rooms = [...documentation.matchAll(/^(src\/[a-z]+\/|content\/|scripts\/) {2,}/gm)].map(
    ([, place = '']) => place,
  );
  expect(rooms.length).toBeGreaterThan(8);
  for (const place of [...pictures, ...rooms])
    await expect(access(path.join(ROOT, place)), place).resolves.toBeUndefined();
});

it('and those of the folders link to what is there', () => {
  const files = folderPages();
  expect(files.length).toBeGreaterThan(8);
  const dead = [{ file: 'README.md', text: readme }, ...files].flatMap(({ file, text }) =>
    [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map(([, place = '']) => place)
      .filter((place) => !existsSync(path.join(ROOT, path.dirname(file), place)))
      .map((place) => `${file} -> ${place}`),
  );
  expect(dead).toEqual([]);
});

function folderPages(): { file: string; text: string }[] {
  return ['src', 'scripts', 'content'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => path.basename(file) === 'README.md' || (folder === 'content' && /^docs\/.*\.md$/.test(file)))
      .map((file) => path.join(folder, file))
      .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') })),
  );
}
