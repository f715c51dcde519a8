import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readContent } from './content-files.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'content-'));
  mkdirSync(path.join(root, 'content/strings'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(path.join(root, 'content/strings', name), text);
const read = () => readContent(root, 'content/strings', '.json');

it('extends texts of Sortiment by those of the project, key by key', () => {
  write('en.json', '{ "nav.products": "Our range" }');
  write('sv.json', '{ "nav.products": "Produkter" }');
  expect(read().get('en')?.data).toMatchObject({ 'nav.products': 'Our range', 'nav.norms': 'Standards' });
  expect(read().get('sv')).toEqual({
    data: { 'nav.products': 'Produkter' },
    file: path.join(root, 'content/strings/sv.json'),
  });
});

it('names a malformed file', () => {
  write('en.json', '{ "nav.products": }');
  expect(read).toThrow(/content\/strings\/en\.json is malformed: /);
});
