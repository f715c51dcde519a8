import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { listDocumentAssets, listEarlierDocuments } from '#catalogue/read-model/assets.ts';
import { GTINS, startTestUpstream, type TestUpstream } from '../testing/test-upstream.ts';

const [GTIN = ''] = GTINS;
const FILES = {
  '/epd.pdf': '%PDF-1.7 epd',
  '/dopc-1.pdf': '%PDF-1.7 one',
  '/dopc-2.pdf': '%PDF-1.7 two',
  '/a.dwg': 'AC1032 drawing',
  '/b.step': 'ISO-10303-21;',
  '/empty.dxf': '',
  '/login.dwg': '<!doctype html><p>Sign in',
};

let upstream: TestUpstream;
beforeEach(async () => {
  upstream = await startTestUpstream({
    sync: { recheckMediaHours: 0 },
    documentKinds: [{ key: 'dopc' }, { key: 'epd', field: 'epd_urls' }, { key: 'cad' }],
  });
  upstream.validators = true;
  for (const [name, text] of Object.entries(FILES))
    upstream.files.set(name, { body: Buffer.from(text), type: 'application/octet-stream' });
});
afterEach(() => upstream.close());

const at = (name: string): string => upstream.server.origin + name;
function overlay(id: string, documents: Record<string, string | string[]> | undefined): void {
  const file = path.join(upstream.settings.root, `content/products/${id}.mdx`);
  mkdirSync(path.dirname(file), { recursive: true });
  if (documents) writeFileSync(file, `---\ndocuments: ${JSON.stringify(documents)}\n---\n`);
  else rmSync(file);
}
/** Returns the kinds and addresses that a page offers. */
const offered = (language = 'de-de') =>
  upstream.read((snapshot) => {
    const { record } = snapshot.product(GTIN, language) ?? {};
    const assets = record ? listDocumentAssets(snapshot, record, upstream.settings.options) : [];
    return assets.map(({ field, href, mimeType, bytes, failure }) => [field, href, mimeType, bytes, failure] as const);
  });

it('offers the documents of overlays and of a field, and stores their files', async () => {
  upstream.fillProducts([GTIN]);
  const withField = { ...createProduct({ gtin: GTIN }), epd_urls: ['/epd.pdf', '', 'ftp://x/y.pdf'] };
  upstream.products.set(`${GTIN}/de-de`, withField);
  overlay(GTIN, { cad: [at('/a.dwg'), at('/b.step'), at('/manual.docx')] });
  overlay(`en-gb/${GTIN}`, { cad: at('/b.step') });
  const { warnings } = await upstream.sync();
  expect(offered().map(([field, href, mimeType, bytes]) => [field, path.extname(href), mimeType, bytes])).toEqual([
    ['epd', '.pdf', 'application/pdf', 12],
    ['cad', '.dwg', 'image/vnd.dwg', 14],
    ['cad', '.step', 'application/step', 13],
  ]);
  expect(offered('en-gb').map(([field, href]) => [field, path.extname(href)])).toEqual([['cad', '.step']]);
  const [, href = ''] = offered().at(1) ?? [];
  expect(href).toMatch(/^\/documents\/[0-9a-f]{8}-a\.dwg$/);
  const stored = upstream.read((snapshot) => snapshot.asset(at('/a.dwg'), 'document'));
  expect(readFileSync(path.join(upstream.settings.assetsFolder, stored?.file ?? ''), 'utf8')).toBe('AC1032 drawing');
  const problems = warnings.map(({ field, problem, advice }) => `${field} ${problem} ${advice}`);
  expect(problems).toEqual([
    expect.stringMatching(/^epd_urls .*ends with \.pdf.*product interface/),
    expect.stringMatching(/^documents\.cad .*ends with \.dwg, \.dxf, \.step, \.stp.*content\/products\//),
  ]);
});

it('follows an overlay although the interface reports no change', async () => {
  upstream.fillProducts([GTIN]);
  await upstream.sync();
  expect(offered()).toEqual([]);
  overlay(GTIN, { cad: at('/a.dwg') });
  const report = await upstream.sync();
  expect(
    report.changes.flatMap(({ kind, id, fields }) => (kind === 'product' ? [[id, fields[0]?.field]] : [])),
  ).toEqual([
    [GTIN, 'documents'],
    [GTIN, 'documents'],
  ]);
  expect(offered()).toHaveLength(1);
  expect((await upstream.sync()).changes).toEqual([]);
  overlay(GTIN, undefined);
  await upstream.sync();
  expect(offered()).toEqual([]);
});

it('rejects a file of another type, and reports a changed file as a change of the product', async () => {
  upstream.fillProducts([GTIN]);
  overlay(GTIN, { cad: [at('/login.dwg'), at('/a.dwg'), at('/empty.dxf'), at('/a.dwg')] });
  const { warnings } = await upstream.sync();
  expect(warnings.map(({ problem }) => problem).toSorted()).toEqual([
    'is not a .dwg file, but HTML',
    'is not a .dxf file, but empty',
  ]);
  expect(offered().map(([, , , , failure]) => failure)).toEqual(['rejected', undefined, 'rejected']);
  upstream.files.set('/a.dwg', { body: Buffer.from('AC1032 new'), type: 'image/vnd.dwg' });
  const { changes } = await upstream.sync();
  expect(changes.find(({ kind }) => kind === 'product')?.fields[0]?.field).toBe('documents');
});

it('keeps a declaration of performance and conformity as published, and its replaced versions', async () => {
  upstream.fillProducts([GTIN]);
  overlay(GTIN, { dopc: at('/dopc-1.pdf') });
  await upstream.sync();
  upstream.files.set('/dopc-1.pdf', { body: Buffer.from('%PDF-1.7 edited'), type: 'application/pdf' });
  const { alarms } = await upstream.sync();
  expect(alarms).toMatchObject([{ url: at('/dopc-1.pdf'), gtins: [GTIN] }]);
  upstream.files.set('/dopc-1.pdf', { body: Buffer.from(FILES['/dopc-1.pdf']), type: 'application/pdf' });
  overlay(GTIN, { dopc: at('/dopc-2.pdf') });
  await upstream.sync();
  const earlier = upstream.read((snapshot) => {
    const { record } = snapshot.product(GTIN, 'de-de') ?? {};
    const languages = { page: 'de-de', storedAs: 'de-de' };
    return record ? listEarlierDocuments(snapshot, record, languages, upstream.settings.options) : [];
  });
  expect(earlier.map(({ field, href }) => [field, href])).toEqual([
    ['dopc', expect.stringMatching(/^\/documents\/[0-9a-f]{8}-dopc-1\.pdf$/)],
  ]);
});
