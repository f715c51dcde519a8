import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findUntranslatedLanguages } from '../checks/build-warnings.ts';
import { addStrings, findStringsGaps } from './strings-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'strings-'));
  mkdirSync(path.join(root, 'content/strings'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const file = (id: string) => path.join(root, `content/strings/${id}.json`);
const read = (id: string) => JSON.parse(readFileSync(file(id), 'utf8')) as Record<string, string>;
const write = (id: string, texts: object) => writeFileSync(file(id), JSON.stringify(texts));

it('writes all texts of a new language in the main language, with its plural forms', async () => {
  const added = await addStrings(root, 'lt-lt', 'en-gb');
  const texts = read('lt');
  const count = Object.keys(texts).length;
  expect(added).toEqual({ language: 'lt', file: 'content/strings/lt.json', added: count, untranslated: count });
  expect(texts['nav.products']).toBe('[en] Products');
  expect(Object.keys(texts).filter((key) => key.startsWith('products.count.'))).toEqual([
    'products.count.one',
    'products.count.few',
    'products.count.other',
  ]);
  expect(texts['products.count.few']).toBe('[en] {count} products');
});

it('preserves translations, adds what is new, and counts what is left', async () => {
  const { added } = await addStrings(root, 'sv', 'de-de');
  const { 'nav.home': _, ...rest } = read('sv');
  write('sv', { ...rest, 'nav.products': 'Sortiment', 'nav.unknown': 'Okänd' });
  expect(await addStrings(root, 'sv', 'de-de')).toMatchObject({ added: 1, untranslated: added - 1 });
  expect(read('sv')).toMatchObject({ 'nav.home': '[de] Start', 'nav.products': 'Sortiment', 'nav.unknown': 'Okänd' });
  const [gaps] = findStringsGaps(root);
  expect(gaps).toMatchObject({ language: 'sv', superfluous: ['nav.unknown'] });
  expect(gaps?.missing).not.toContain('nav.products');
  expect(findUntranslatedLanguages(root, ['sv-se', 'nl-nl', 'fi-fi'])).toEqual([
    { code: 'sv-se', file: 'content/strings/sv.json', missing: added - 1 },
    { code: 'fi-fi', file: 'content/strings/fi.json' },
  ]);
});

it('writes nothing for a language with all texts, whose texts can be replaced one by one', async () => {
  expect(await addStrings(root, 'nl', 'de-de')).toMatchObject({ added: 0, untranslated: 0 });
  write('nl', { 'nav.products': 'Assortiment' });
  expect(findStringsGaps(root)).toEqual([]);
  expect(read('nl')).toEqual({ 'nav.products': 'Assortiment' });
});

it('a malformed file is left to the build', () => {
  writeFileSync(file('sv'), '{');
  expect(findUntranslatedLanguages(root, ['sv-se'])).toEqual([]);
  expect(() => findStringsGaps(root)).toThrow(/sv\.json is malformed/);
});

it.each([
  ['{ "nav.products": "x", broken', 'malformed'],
  ['{ "nav.products": 5 }', 'nav.products '],
])('names an invalid file and leaves it unchanged: %s', async (text, problem) => {
  writeFileSync(file('sv'), text);
  await expect(addStrings(root, 'sv', 'de-de')).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(`sv\\.json[^]*${problem}`) as string,
  });
  expect(readFileSync(file('sv'), 'utf8')).toBe(text);
});
