import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { receiveHooks, type HookReceiver } from './hook-receiver.ts';
import { copyProject, type ProjectCopy, type RunningCommand } from './project-copy.ts';
import { pagesBelow } from './pages-below.ts';

let project: ProjectCopy;
/** Each command would start one of its own for a moment. */
let origin: RunningCommand | undefined;
let receiver: HookReceiver;
let hook: Record<string, string>;

beforeAll(async () => {
  project = await copyProject(inject('projectFolder'));
  receiver = await receiveHooks();
  hook = { SORTIMENT_HOOK_URL: receiver.url, SORTIMENT_HOOK_SECRET: receiver.secret };
  await showPrices(path.join(project.folder, 'src/sortiment.config.ts'));
  origin = project.start('origin', ['--port', '0', '--demo']);
  await origin.printed(/http:\/\/(127\.0\.0\.1|localhost):\d+/);
});
afterAll(async () => {
  await origin?.stop();
  receiver.close();
  await project.remove();
});

/** The demo site shows no prices; here it states that they are net list prices. */
async function showPrices(file: string): Promise<void> {
  const config = await readFile(file, 'utf8');
  await writeFile(
    file,
    config.replace(
      "mainLanguage: 'de-de',",
      "mainLanguage: 'de-de',\n  price: { show: 'net' },\n  hooks: [{ name: 'site' }],",
    ),
  );
}

const readDist = (file: string): Promise<string> => readFile(path.join(project.folder, 'dist', file), 'utf8');

const productPage = async (gtin: string): Promise<string> => {
  const pages = await pagesBelow(path.join(project.folder, 'dist'));
  const page = pages.find((name) => name.startsWith('/de-de/p/') && name.endsWith(`${gtin}/`)) ?? '';
  return readDist(path.join(page, 'index.html'));
};

const WITHDRAWN = '9524010000023';

/** Takes a product out of the assortment and says what comes after it. */
async function withdraw(): Promise<void> {
  const assortment = path.join(project.folder, 'content/assortment/haldenwerk.yaml');
  const lines = (await readFile(assortment, 'utf8')).split('\n');
  await writeFile(assortment, lines.filter((line) => !line.includes(WITHDRAWN)).join('\n'));
  const overlay = path.join(project.folder, `content/products/${WITHDRAWN}.mdx`);
  await writeFile(overlay, '---\nsuccessor: 9524010000016\n---\n');
}

it('one changed price: named, announced once, shown', async () => {
  const first = await project.run('sync', [], hook);
  expect(first.code, first.stderr).toBe(10);
  expect(receiver.deliveries).toHaveLength(1);

  const quiet = await project.run('sync', [], hook);
  expect(quiet.code, quiet.stderr).toBe(0);

  const change = await project.run('origin', [
    'product',
    'set',
    '9524010000016',
    '--language',
    'de-de',
    'price=149.90',
  ]);
  expect(change.code, change.stderr).toBe(0);

  const second = await project.run('sync', [], hook);
  expect(second.code, second.stderr).toBe(10);
  expect(second.stdout).toMatch(/9524010000016.*de-de.*price.*142\.5.*149\.9/);
  expect(receiver.deliveries).toHaveLength(2);
  expect(receiver.deliveries[1]).toMatchObject({
    event: { type: 'catalogue.changed', data: { gtins: ['9524010000016'] } },
  });
  expect(receiver.deliveries[1]?.id).not.toBe(receiver.deliveries[0]?.id);

  const third = await project.run('sync', [], hook);
  expect(third.code, third.stderr).toBe(0);
  expect(receiver.deliveries).toHaveLength(2);

  await withdraw();
  const fourth = await project.run('sync', [], hook);
  expect(fourth.code, fourth.stderr).toBe(10);

  const build = await project.run('build');
  expect(build.code, build.stderr).toBe(0);
  expect(await productPage('9524010000016')).toMatch(/149,90\s*€/u);
});

it('the same in JSON, for a machine', async () => {
  const { code, stdout } = await project.run('sync', ['--json'], hook);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ changed: false, changes: [] });
});

it('what is withdrawn keeps its page and its documents, and leads to its successor', async () => {
  const page = await productPage(WITHDRAWN);
  expect(page).toContain('Nicht mehr lieferbar');
  expect(page).not.toMatch(/€|noindex|"Offer"/);
  expect(page).toMatch(/Nachfolger:\s*<a href="[^"]+9524010000016\/">DIFFRANA Vario 75</);
  const declaration = /href="(\/documents\/[^"]*dop[^"]*\.pdf)"/.exec(page)?.[1] ?? '';
  expect((await readDist(declaration)).slice(0, 5)).toBe('%PDF-');
  expect(await readDist('sitemap-0.xml')).toContain(WITHDRAWN);
  for (const list of ['', 'products/', 'products/vapour-control-membranes/'])
    expect(await readDist(`de-de/${list}index.html`)).not.toContain(WITHDRAWN);
});
