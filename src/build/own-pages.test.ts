import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { resolveSettings } from '#config/index.ts';
import { copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { CONTENT_POLICY } from '#generated/page-shell.ts';
import { openDevReaders } from '#catalogue/read-model/product-readers.ts';
import { ASTRO_CHECK } from '#files/testing/audit-tools.ts';
import options from '#sortiment.config.ts';
import { OWN_PAGES, PAGES_FOR_ASTRO } from './testing/own-pages.ts';
import { writeTestCatalogue } from './testing/test-catalogue.ts';

// Each test builds whole sites, possibly on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const OFFLINE = { SORTIMENT_OFFLINE: '1' };
const ASTRO = 'node_modules/astro/bin/astro.mjs';

const DOCS = readFileSync(path.resolve(import.meta.dirname, '../../content/docs/own-pages.md'), 'utf8');
/** The page in the documentation, with its product. */
const [, SHOWN_PAGE = '', SHOWN = ''] = /^```astro\n(.*?'de-de\/(\d{13})'.*?)^```/ms.exec(DOCS) ?? [];
const ANOTHER = '9524000000019';

const PRODUCT_PAGES = {
  'src/pages/vario.astro': SHOWN_PAGE,
  'src/pages/one.json.ts': `import { getEntry } from 'astro:content';

export const GET = async () => {
  console.log('one is rendered');
  return Response.json(await getEntry('products', 'de-de/${SHOWN}'));
};
`,
  'src/pages/all.json.ts': `import { getCollection } from 'astro:content';

export const GET = async () => {
  console.log('all are rendered');
  return Response.json(await getCollection('products'));
};
`,
  'src/pages/each/[gtin].astro': `---
import { getCollection } from 'astro:content';

export const getStaticPaths = async () => {
  const products = await getCollection('products', ({ id, data }) => id.startsWith('de-de/') && !data.archived);
  return products.map((product) => ({ params: { gtin: product.data.gtin }, props: { product } }));
};

const { data } = Astro.props.product;
---

<title>{data.name}</title>
<p>{data.price?.text}</p>
`,
};

const LOCALE_PAGE = `---
import { getRelativeLocaleUrl } from 'astro:i18n';
---

<p>{Astro.currentLocale} {getRelativeLocaleUrl('de-de', 'a')} {getRelativeLocaleUrl('fr-fr', 'a')}</p>
`;
const LOCALE_PAGES = { 'src/pages/locale.astro': LOCALE_PAGE, 'src/pages/en-gb/locale.astro': LOCALE_PAGE };

/** A custom collection that refers to products, one of which does not exist. */
const NOTES = {
  'content/notes/right.json': `{ "product": "de-de/${SHOWN}" }`,
  'content/notes/wrong.json': '{ "product": "de-de/9524010000023" }',
  'src/pages/notes.json.ts': `import { getCollection, getEntry } from 'astro:content';

export const GET = async () => {
  const notes = await getCollection('notes');
  const products = await Promise.all(notes.map(({ data }) => getEntry(data.product)));
  return Response.json(products.map((product) => product?.data.name));
};
`,
};
/** Adds a collection to those of the catalogue. */
const CONTENT_CONFIG = `
import { defineCollection, reference } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { sortimentCollections } from '#build/collections/collections.ts';
import options from './sortiment.config.ts';

export const collections = {
  ...sortimentCollections(options),
  notes: defineCollection({
    loader: glob({ base: './content/notes', pattern: '*.json' }),
    schema: z.object({ product: reference('products') }),
  }),
};
`;

/** The project with custom pages. */
let project: ProjectCopy;
/** Plain Astro with the same packages and pages. */
let plain: ProjectCopy;

beforeAll(async () => {
  [project, plain] = await Promise.all([copyProject(), copyProject()]);
  await project.configure({ shareImages: false });
  await writeTestCatalogue(project.folder, 0.1);
  edit(`gtin = '${SHOWN}', record = json_set(record, '$.gtin', '${SHOWN}')`, `position = 0`);
  rmSync(path.join(plain.folder, 'src/pages'), { recursive: true });
  rmSync(path.join(plain.folder, 'public'), { recursive: true });
  rmSync(path.join(plain.folder, 'src/content.config.ts'));
  configurePlain('/');
  write([project, plain], OWN_PAGES);
  write([project], { ...PRODUCT_PAGES, ...LOCALE_PAGES, ...NOTES, 'src/content.config.ts': CONTENT_CONFIG });
});
afterAll(() => Promise.all([project.remove(), plain.remove()]));

function write(copies: readonly ProjectCopy[], files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const { folder } of copies) {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), content);
    }
  }
}

/** Changes products in the snapshot, as a sync may. */
function edit(change: string, condition: string): void {
  const database = new DatabaseSync(path.join(project.folder, '.sortiment/snapshot.sqlite'));
  database.exec(`UPDATE products SET ${change}, digest = hex(randomblob(8)) WHERE ${condition}`);
  database.exec(`UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'digest'`);
  database.close();
}

const changePrice = (gtin: string, price: string): void =>
  edit(`record = json_set(record, '$.price', '${price}')`, `language = 'de-de' AND gtin = '${gtin}'`);

/** Configures plain Astro like the integration. */
function configurePlain(base: string): void {
  const config = {
    site: 'http://localhost:4321',
    base,
    trailingSlash: 'always',
    build: { format: 'directory', inlineStylesheets: 'never' },
    security: { csp: { algorithm: 'SHA-256', directives: CONTENT_POLICY } },
  };
  const text = `import mdx from '@astrojs/mdx';\n\nexport default { ...${JSON.stringify(config)}, integrations: [mdx()] };\n`;
  write([plain], { 'astro.config.mjs': text });
}

async function run(copy: ProjectCopy, way: 'astro build' | 'npm run build' | 'npm run build -- --default-loop') {
  const flags = way.endsWith('loop') ? ['--default-loop'] : [];
  const ended = way === 'astro build' ? copy.runFile(ASTRO, ['build'], OFFLINE) : copy.run('build', flags, OFFLINE);
  const { code, stdout, stderr } = await ended;
  expect(code, stdout + stderr).toBe(0);
  return stdout + stderr;
}

const filesOf = ({ folder }: ProjectCopy): string[] =>
  readdirSync(path.join(folder, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(folder, 'dist'), path.join(entry.parentPath, entry.name)))
    .toSorted();

const read = ({ folder }: ProjectCopy, file: string): string => readFileSync(path.join(folder, 'dist', file), 'latin1');

/** Returns the files of plain Astro, and those that differ in the project. */
function compare(): { same: string[]; others: string[] } {
  const present = new Set(filesOf(project));
  const { true: same = [], false: others = [] } = Object.groupBy(filesOf(plain), (file) =>
    present.has(file) && read(project, file) === read(plain, file) ? 'true' : 'false',
  );
  return { same, others };
}

/** Returns all entries of the collection `products` from the snapshot. */
function productEntries(): { id: string; data: object }[] {
  const readers = openDevReaders(resolveSettings(project.folder, options, {}));
  try {
    const index = readers.productIndex();
    return index.columns().map(({ id, digest, columns: { pageLanguage, gtin } }) => {
      const listed = index.product(pageLanguage, gtin);
      if (!listed) throw new Error(`There is no ${id}.`);
      return { id, data: readers.readProduct(listed), digest, collection: 'products' };
    });
  } finally {
    readers.close();
  }
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(project.folder, 'dist', file), 'utf8'));

it('renders own pages and endpoints as plain Astro does, byte for byte, in every way to build, and gives them whole products', async () => {
  await run(plain, 'astro build');
  const products = productEntries();
  const shown = products.find(({ id }) => id === `de-de/${SHOWN}`);
  for (const [way, expected] of [
    ['npm run build', 'vite'],
    ['npm run build', 'cached bundle'],
    ['npm run build -- --default-loop', 'default loop'],
    ['astro build', 'Complete!'],
  ] as const) {
    for (const folder of ['own', 'de-de/own', 'one.json', 'all.json', 'notes.json', 'each', 'locale'])
      rmSync(path.join(project.folder, 'dist', folder), { recursive: true, force: true });
    const log = await run(project, way);
    expect(log).toContain(expected);
    // Astro looks for products in its own store; existing ones are no error.
    expect(new Set(log.match(/references "[^"]+" in collection "products"/g)), way).toEqual(
      new Set(expected === 'cached bundle' ? [] : ['references "de-de/9524010000023" in collection "products"']),
    );
    const { same, others } = compare();
    expect(others, way).toEqual([]);
    expect(same.length).toBeGreaterThan(40);
    expect(readJson('one.json'), way).toEqual(asJson(shown));
    expect(readJson('all.json'), way).toEqual(asJson(products));
    expect(readJson('notes.json'), way).toEqual(['DIFFRANA Vario 75', null]);
    expect(read(project, `each/${ANOTHER}/index.html`), way).toContain('<p>279</p>');
    expect(read(project, 'locale/index.html'), way).toContain('<p>de-de /de-de/a/ /fr-fr/a/</p>');
    expect(read(project, 'en-gb/locale/index.html'), way).toContain('<p>en-gb /de-de/a/ /fr-fr/a/</p>');
  }
});

it('shows the product of the documentation with its values and its data sheet', () => {
  const html = readFileSync(path.join(project.folder, 'dist/vario/index.html'), 'utf8');
  expect(html).toContain('<h1>DIFFRANA Vario 75</h1>');
  expect(html).toContain('<p>Brandverhalten EN 13501-1: E, ');
  const [, href = ''] = /<a href="([^"]+)">Data sheet/.exec(html) ?? [];
  expect(existsSync(path.join(project.folder, 'dist', href)), href).toBe(true);
});

it('renders a page that reads one product again when that changes, and one that reads all when any does', async () => {
  // The last build was Astro's alone.
  await run(project, 'npm run build');
  const build = async () => {
    const log = await run(project, 'npm run build');
    expect(log).toContain('cached bundle');
    return log.match(/(one is|all are) rendered/g) ?? [];
  };
  expect(await build()).toEqual([]);
  changePrice(ANOTHER, '11.90');
  expect(await build()).toEqual(['all are rendered']);
  changePrice(SHOWN, '12.90');
  expect((await build()).toSorted()).toEqual(['all are rendered', 'one is rendered']);
  expect(readJson('one.json')).toMatchObject({ data: { price: { text: '12.90' } } });
  expect(readJson('all.json')).toEqual(asJson(productEntries()));
  expect(read(project, `each/${ANOTHER}/index.html`)).toContain('<p>11.90</p>');
});

const BASE = '/katalog/';

it('does so with redirects and images too, in a folder of the host', async () => {
  const wall = sharp({ create: { width: 300, height: 200, channels: 3, background: '#346' } });
  const picture = await wall.png().toBuffer();
  write([project, plain], { ...PAGES_FOR_ASTRO, 'src/assets/wall.png': picture });
  configurePlain(BASE);
  const config = readFileSync(path.join(project.folder, 'astro.config.mjs'), 'utf8');
  write([project], { 'astro.config.mjs': config.replace('site:', `base: '${BASE}',\n  site:`) });
  await run(plain, 'astro build');
  for (const folder of ['own', 'de-de/own'])
    rmSync(path.join(project.folder, 'dist', folder), { recursive: true, force: true });
  await run(project, 'npm run build');
  expect(compare().others).toEqual([]);
});

/** Removes project and server names from a page of a development server. */
function withoutPlace(html: string, { folder }: ProjectCopy, origin: string): string {
  return html
    .replace(/<script>window\.__astro_dev_toolbar__.*?<\/script>/s, '')
    .replaceAll(folder, '<project>')
    .replaceAll(encodeURIComponent(folder), '<project>')
    .replaceAll(origin, '<origin>');
}

it('serves under development what plain Astro serves, with its status, its images and whole products', async () => {
  const servers = [project, plain].map((copy) => copy.start('dev', ['--port', '0', '--host', '127.0.0.1'], OFFLINE));
  try {
    const origins = await Promise.all(
      servers.map(async ({ printed }) => (await printed(/Local\s+(http:\/\/[\w.:]+)/))[1] ?? ''),
    );
    const [ours = '', astros = ''] = origins;
    const get = async (origin: string, address: string, copy: ProjectCopy) => {
      const answer = await fetch(new URL(address, origin), { redirect: 'manual' });
      const html = withoutPlace(await answer.text(), copy, origin);
      return { status: answer.status, location: answer.headers.get('location'), html };
    };
    const addresses = filesOf(plain)
      .filter((file) => !file.startsWith('_astro/'))
      .map((file) => BASE + encodeURI(file.replace(/index\.html$/, '')));
    for (const address of addresses)
      expect(await get(ours, address, project), address).toEqual(await get(astros, address, plain));
    // Missing pages show the project's 404 page.
    for (const missing of ['nothing/', 'own/ten/99/', 'own/z.json', 'de-de/nothing/', 'own', '404/'])
      expect((await get(ours, BASE + missing, project)).status, missing).toBe(404);
    for (const present of ['', 'de-de/', 'de-de/products/', 'en-gb/'])
      expect((await get(ours, BASE + present, project)).status, present).toBe(200);
    const { html } = await get(ours, `${BASE}own/image/`, project);
    const images = [...html.matchAll(/(?:src|srcset)="([^"]*\/_image\/[^"]+)"/g)].map(([, src = '']) => src);
    expect(images).toHaveLength(4);
    for (const image of images) {
      const address = image.replaceAll('&amp;', '&').replace('<project>', encodeURIComponent(project.folder));
      expect((await fetch(new URL(address, ours))).headers.get('content-type')).toMatch(/^image\//);
    }
    const one = async () => (await fetch(`${ours}${BASE}one.json`)).json();
    expect(await one()).toMatchObject({ data: { price: { text: '12.90' } } });
    changePrice(SHOWN, '13.90');
    expect(await one()).toMatchObject({ data: { price: { text: '13.90' } } });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
});

/**
 * Returns a page for `astro check`.
 *
 * @param value Expression to render.
 */
const typedPage = (value: string): string => `---
import { getEntry } from 'astro:content';
import type { Product } from '#contracts/product/index.ts';

const product = await getEntry('products', 'de-de/${SHOWN}');
const record: Product | undefined = product?.data;
---

<p>{record?.gtin} {product?.data.pageLanguage} {${value}}</p>
`;

it('types every field of a product for astro check', async () => {
  write([project], {
    'src/pages/typed.astro': typedPage('product?.data.price?.text'),
    'src/pages/mistyped.astro': typedPage('product?.data.prize'),
    'tsconfig.own.json': JSON.stringify({
      extends: './tsconfig.json',
      include: [
        '.astro/types.d.ts',
        'src/virtual-modules.d.ts',
        'src/components/SiteFont.astro',
        'src/pages/*yped.astro',
        'src/pages/*.json.ts',
        'src/pages/vario.astro',
      ],
    }),
  });
  const { code, stdout } = await project.runFile(
    ASTRO_CHECK,
    ['--root', project.folder, '--tsconfig', 'tsconfig.own.json'],
    OFFLINE,
  );
  expect(code, stdout).toBe(1);
  expect(stdout).toMatch(/mistyped\.astro[^]*Property 'prize' does not exist/);
  expect(stdout).toContain('- 1 error\n');
});
