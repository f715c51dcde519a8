import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import { openTestSite, type TestSite } from '../testing/test-generators.ts';
import { familyZips } from './family-zips.ts';

const url = (name: string) => `https://media.example/${name}.pdf`;
const GTINS = ['9524010000016', '9524010000023'];
const product = (position: number, name: string, item_number: string) => ({
  language: 'de-de',
  position,
  family: 'tapes',
  record: createProduct({ name, item_number, gtin: GTINS[position] ?? '', datasheet: url(`${position}`) }),
});
const asset = (name: string, bytes = 5) => {
  const stored = { digest: name.repeat(64), file: `${name}.pdf`, bytes, mimeType: 'application/pdf', reachable: true };
  return { url: url(name), kind: 'document' as const, ...stored };
};
const content = (names: [string, string], bytes?: number) => ({
  records: {
    language: languages('de-de'),
    family: [{ id: 'tapes', record: { id: 'tapes', names: { de: 'Bänder' }, descriptions: {} } }],
  },
  products: names.map((name, i) => product(i, name, i === 0 ? 'B/1' : 'A1')),
  assets: [asset('0', bytes), asset('1')],
});

const ZIP = 'de-de/products/tapes/downloads/datasheet/tapes-datasheet.zip';
let site: TestSite;
afterEach(() => site.close());
async function open(...input: Parameters<typeof content>): Promise<void> {
  site = openTestSite(content(...input));
  mkdirSync(site.settings.assetsFolder, { recursive: true });
  for (const name of ['0', '1']) writeFileSync(path.join(site.settings.assetsFolder, `${name}.pdf`), `PDF ${name}`);
  await site.update([familyZips]);
}

it('packs the documents of a family, sorted by readable names', async () => {
  await open(['Uni "60"', 'Putz']);
  const text = site.files.get(ZIP) ?? '';
  const names = text.match(/(?:A1|B-1)[^]*?\.pdf/g);
  // Each name also stands in the directory at the end.
  expect(names?.slice(2)).toEqual(['A1 Putz Datenblatt de-DE.pdf', 'B-1 Uni -60- Datenblatt de-DE.pdf']);
  expect(text).toContain('PDF 0');
});

it('shortens names that file systems reject', async () => {
  await open(['Ü'.repeat(300), 'Putz']);
  const name = /B-1 Ü+ Datenblatt de-DE\.pdf/.exec(site.files.get(ZIP) ?? '')?.[0] ?? '';
  expect(name).not.toBe('');
  expect(Buffer.byteLength(name)).toBeLessThan(255);
});

it('writes a ZIP again only if a document or its name changes, with the same bytes for the same documents', async () => {
  await open(['Uni', 'Putz']);
  const before = site.bytesOf(ZIP);
  await site.update([familyZips]);
  expect(site.written).toEqual([]);
  await site.update([familyZips], { fromScratch: true });
  expect(site.bytesOf(ZIP)).toEqual(before);
  site.write(content(['Uni', 'Neu']));
  await site.update([familyZips]);
  expect(site.written).toEqual([ZIP]);
});

it('leaves out what is too large for static hosts', async () => {
  await open(['Uni', 'Putz'], 30_000_000);
  expect([...site.files.keys()]).toEqual([]);
});
