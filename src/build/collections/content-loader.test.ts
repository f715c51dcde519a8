import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createCollection } from '#catalogue/testing/create-loader-context.ts';
import { stringsLoader } from '#i18n/index.ts';
import { contentLoader } from './local-loaders.ts';

it('replaces texts of Sortiment by those of the project with the same key', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'sortiment-strings-'));
  mkdirSync(path.join(root, 'content/strings'), { recursive: true });
  writeFileSync(path.join(root, 'content/strings/de.json'), '{ "nav.products": "Sortiment" }');
  writeFileSync(path.join(root, 'content/strings/de-at.json'), '{ "nav.home": "Servus" }');
  const collection = createCollection(root);
  await collection.load(stringsLoader(contentLoader('content/strings', '.json')));
  expect(collection.warnings).toEqual([]);
  expect(collection.entries.get('de')?.data).toMatchObject({ 'nav.products': 'Sortiment', 'nav.home': 'Start' });
  expect(collection.entries.get('en')?.data).toMatchObject({ 'nav.products': 'Products' });
  expect(collection.entries.get('de-at')?.data).toEqual({ 'nav.home': 'Servus' });
});
