import { access, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { copyProject, type FinishedCommand, type ProjectCopy } from './project-copy.ts';

const TOKEN = 'c0ffee00'.repeat(5);

let project: ProjectCopy;
let server: Server;
let address: string;
/** Responses of the product interface, set by each test. */
let answer: (path: string) => { status: number; type: string; body: string };

const json = (status: number, body: unknown) => ({ status, type: 'application/json', body: JSON.stringify(body) });
const product = (gtin: string) => ({
  name: 'Band',
  gtin,
  language: 'de-de',
  availability: 'available',
  item_number: 'HW-1',
});

beforeAll(async () => {
  project = await copyProject();
  server = createServer((request, response) => {
    const { status, type, body } = answer(request.url ?? '/');
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await project.remove();
});

const sync = (env: Record<string, string> = {}): Promise<FinishedCommand> =>
  project.run('sync', [], { PRODUCT_API_URL: address, PRODUCT_API_TOKEN: TOKEN, ...env });

/** Expects a clear message: problem and advice, without a stack trace or the token. */
async function expectRefusal(finished: FinishedCommand, ...words: RegExp[]): Promise<void> {
  const said = finished.stdout + finished.stderr;
  expect(finished.code, said).toBe(1);
  for (const word of words) expect(said).toMatch(word);
  expect(said).not.toMatch(/^\s+at .+:\d+:\d+/m);
  expect(said).not.toContain(TOKEN);
  await expect(access(path.join(project.folder, '.sortiment/snapshot.sqlite'))).rejects.toThrow('ENOENT');
}

describe('bad input: nothing is written, exit code 1, and words that help', () => {
  it('a missing token', async () => {
    await expectRefusal(await sync({ PRODUCT_API_TOKEN: '' }), /PRODUCT_API_TOKEN is not set/, /docs\//);
  });

  it('a wrong token', async () => {
    answer = () => json(401, { detail: 'Invalid token.' });
    await expectRefusal(await sync(), /401/, /PRODUCT_API_TOKEN/);
  });

  it('an unreachable upstream', async () => {
    await expectRefusal(await sync({ PRODUCT_API_URL: 'http://127.0.0.1:9' }), /127\.0\.0\.1:9/);
  });

  it('HTML where JSON belongs', async () => {
    answer = () => ({ status: 200, type: 'text/html; charset=utf-8', body: '<!doctype html><title>Welcome</title>' });
    await expectRefusal(await sync(), /HTML/i, /PRODUCT_API_URL/);
  });

  it('products with broken GTINs, every one of them named', async () => {
    answer = (url) => (url.includes('/language/') ? json(200, ['de-de']) : json(200, { ...product('4012345678902') }));
    const finished = await sync();
    const said = finished.stdout + finished.stderr;
    expect(said).toContain('24 product records: gtin is not a GTIN-13');
    await expectRefusal(finished, /gtin/, /check digit/);
  });
});

describe('bad input in the project’s own files', () => {
  const originals = new Map<string, string>();
  const edit = async (file: string, change: (text: string) => string): Promise<void> => {
    const place = path.join(project.folder, file);
    const text = await readFile(place, 'utf8');
    originals.set(place, text);
    await writeFile(place, change(text));
  };
  afterEach(async () => {
    for (const [place, text] of originals) await writeFile(place, text);
    originals.clear();
  });

  it('a list with a wrong check digit and a doubled product: file and line, before the first request', async () => {
    let requests = 0;
    answer = () => {
      requests++;
      return json(200, []);
    };
    await edit('content/assortment/haldenwerk.yaml', (text) =>
      text.replace('9524010000023', '9524010000024').replace('9524010000047', '9524010000016'),
    );
    await expectRefusal(await sync(), /haldenwerk\.yaml:\d+/, /9524010000024/, /check digit/, /9524010000016/);
    expect(requests).toBe(0);
  });

  it('an unknown option', async () => {
    await edit('src/sortiment.config.ts', (text) =>
      text.replace("mainLanguage: 'de-de',", "mainLanguage: 'de-de',\n  langauges: ['de-de'],"),
    );
    await expectRefusal(await sync(), /langauges is not a known option/);
  });
});
