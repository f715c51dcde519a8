import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sendJson, startFakeServer } from '#client/testing/test-server.ts';
import { openTestDisk } from '#files/testing/test-disk.ts';
import type { Management } from '#origin/admin/management/management-app.ts';
import { openManagement } from '#origin/admin/management/run-management.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { startOrigin, type RunningOrigin } from '#origin/server/index.ts';
import { importProducts, type ProductImportOptions } from './import-products.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const BAND = '9524010000016';
const BOARD = '9524010000023';
const PDF = Buffer.from('%PDF-1.7 declared values');

const folders = { source: path.join(temporaryFolder(), 'origin'), target: path.join(temporaryFolder(), 'origin') };
let source: RunningOrigin;
let target: RunningOrigin;
let there: Management;
let here: Management;
const start = (dataFolder: string) => startOrigin({ dataFolder, log: () => undefined });

beforeAll(async () => {
  [source, target] = await Promise.all([start(folders.source), start(folders.target)]);
  [there, here] = (await Promise.all(
    Object.values(folders).map((dataFolder) => openManagement({ dataFolder, publicUrl: '' })),
  )) as [Management, Management];
  for (const code of ['de-de', 'en-gb']) await there.run('language add', { code });
  mkdirSync(path.join(folders.source, 'files/media/de-de'), { recursive: true });
  writeFileSync(path.join(folders.source, 'files/media/de-de/band.pdf'), PDF);
  const band = { name: 'Band', gtin: BAND, language: 'de-de', availability: 'available', price: 12.5 };
  const datasheet = 'media/de-de/band.pdf';
  const records = [
    { ...band, datasheet, image: 'media/missing.png', banner: 'https://elsewhere.example/banner.jpg' },
    { ...band, datasheet, language: 'en-gb', name: 'Tape' },
    { ...band, gtin: BOARD, name: 'Platte' },
  ];
  await there.run('product import', { text: records.map((record) => JSON.stringify(record)).join('\n') });
});
afterAll(async () => {
  await Promise.all([source.close(), target.close()]);
});

const fetchAll = (options: Partial<ProductImportOptions> = {}) =>
  importProducts({
    address: `${source.url}/api/partner/v1`,
    token: source.productToken,
    run: here.run,
    retries: 0,
    ...options,
  });

async function read({ url, productToken }: RunningOrigin, gtin: string, language: string) {
  const address = `${url}/api/partner/v1/product/${gtin}/?language=${language}`;
  const answer = await fetch(address, { headers: { authorization: `Token ${productToken}` } });
  return (await answer.json()) as Record<string, unknown>;
}

it('copies products and their files', async () => {
  const { changed, kinds } = await fetchAll({ gtins: [BAND, BOARD, '9524010000030'], languages: ['de', 'en'] });
  expect(changed).toBe(true);
  expect(kinds).toMatchObject([
    {
      kind: 'product',
      found: 6,
      added: 3,
      // In the order of the responses.
      left: expect.arrayContaining([
        expect.objectContaining({ reason: 'does not exist in this language', which: [`${BOARD} en-gb`] }),
        expect.objectContaining({ reason: 'is unknown at the source', count: 2 }),
      ]),
      lost: [{ reason: 'its file was not copied: it could not be fetched: 404', count: 1 }],
    },
  ]);
  const [theirs, ours] = [await read(source, BAND, 'de-de'), await read(target, BAND, 'de-de')];
  expect(ours).toEqual({ ...theirs, datasheet: expect.stringContaining(`${target.url}/media/127.0.0.1`) });
  expect(ours).toMatchObject({
    image: `${source.url}/media/missing.png`,
    banner: 'https://elsewhere.example/banner.jpg',
  });
  expect(Buffer.from(await (await fetch(String(ours['datasheet']))).arrayBuffer())).toEqual(PDF);
  expect(await read(target, BAND, 'en-gb')).toMatchObject({ name: 'Tape', datasheet: ours['datasheet'] });
});

it('reads the list of an interface and copies only new or changed products', async () => {
  await there.run('product set', { gtin: BOARD, changes: ['price=13.40'] });
  await there.run('product set', { gtin: BAND, language: 'de-de', changes: ['image=null'] });
  expect((await fetchAll({ languages: ['de-de'] })).kinds).toMatchObject([{ added: 0, updated: 2, unchanged: 0 }]);
  expect(await fetchAll({ languages: ['de-de'] })).toMatchObject({ changed: false, kinds: [{ unchanged: 2 }] });
  expect(await read(target, BOARD, 'de-de')).toMatchObject({ price: 13.4 });
});

it('authenticates by user and password, for files too', async () => {
  const gtin = '9524010000030';
  const asked: string[] = [];
  const gate = await startFakeServer((request, response) => {
    if (request.headers.authorization !== `Basic ${btoa('api:geheim')}`) return sendJson(response, {}, { status: 401 });
    const { url = '' } = request;
    asked.push(url);
    if (url.endsWith('.pdf')) response.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF);
    else if (url.includes('/language/')) sendJson(response, { count: 2, next: '?page=2', results: ['de-de'] });
    else {
      const datasheet = `${gate.origin}/media/rolle.pdf`;
      sendJson(response, { name: 'Rolle', gtin, language: 'de-de', availability: 'available', datasheet });
    }
  });
  const options = { address: `${gate.origin}/api/partner/v1/`, token: undefined, gtins: [gtin] };
  await expect(fetchAll({ ...options, account: { user: 'api', password: 'falsch' } })).rejects.toMatchObject({
    code: 'UPSTREAM_UNAUTHORISED',
    hint: expect.stringContaining('SORTIMENT_IMPORT_PASSWORD'),
  });
  const account = { user: 'api', password: 'geheim' };
  const { kinds } = await fetchAll({ ...options, account });
  expect(kinds).toMatchObject([{ added: 1, lost: [] }]);
  expect(asked).toContain('/media/rolle.pdf');
  expect(JSON.stringify(kinds)).toContain('the list of languages repeats entries of an earlier page');
  await gate.close();
});

it('stops at an endless product list', async () => {
  const gate = await startFakeServer(({ url = '' }, response) => {
    if (url.includes('/language/')) return sendJson(response, ['de-de']);
    const row = { gtin: BAND, language: 'de-de', modified: '2026-11-20T10:00:00Z' };
    sendJson(response, { count: 9000, next: '?page=2', previous: null, results: [row] });
  });
  await expect(fetchAll({ address: `${gate.origin}/api/partner/v1/` })).rejects.toMatchObject({
    code: 'IMPORT_GTINS_MISSING',
    hint: expect.stringContaining('--gtins'),
  });
  await gate.close();
});

it.each([
  ['a wrong token', { token: 'c0ffee'.repeat(7) }, 'UPSTREAM_UNAUTHORISED'],
  ['another address', { address: 'http://127.0.0.1:9/' }, 'UPSTREAM_UNAVAILABLE'],
  ['a language it does not have', { languages: ['it'] }, 'IMPORT_LANGUAGE_UNKNOWN'],
])('fails for %s', async (_, options, code) => {
  const error = await fetchAll(options).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code });
  expect(String(error)).not.toContain('c0ffee');
});

const disk = openTestDisk(1);
afterAll(() => disk?.remove());

it.runIf(disk)('says on a full disk where and what to do, and goes on from there when there is room', async () => {
  const gtin = '9524010000047';
  const record = {
    name: 'Rolle',
    gtin,
    language: 'de-de',
    availability: 'available',
    datasheet: 'media/de-de/roll.pdf',
  };
  writeFileSync(path.join(folders.source, 'files/media/de-de/roll.pdf'), Buffer.concat([PDF, Buffer.alloc(200_000)]));
  await there.run('product import', { text: JSON.stringify(record) });
  const run: Management['run'] = async (command, args) =>
    command === 'import begin' ? { message: '', folder: disk?.folder } : here.run(command, args);
  disk?.fill(50_000);
  await expect(fetchAll({ gtins: [gtin], languages: ['de-de'], run })).rejects.toMatchObject({
    code: 'ENOSPC',
    message: expect.stringContaining(`The disk is full: "${disk?.folder}`),
    hint: expect.stringMatching(/^Free some space.*Run the same command again to continue\.$/),
  });
  disk?.empty();
  expect(await fetchAll({ gtins: [gtin], languages: ['de-de'] })).toMatchObject({ kinds: [{ added: 1 }] });
});
