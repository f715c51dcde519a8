import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchBrowser } from '#e2e/launch-browser.ts';
import { copyProject, type ProjectCopy, type RunningCommand } from '#e2e/project-copy.ts';
import { findBrokenUrls } from './testing/find-broken-urls.ts';
import { writeTestCatalogue } from './testing/test-catalogue.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const OFFLINE = { SORTIMENT_OFFLINE: '1' };
const logo = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><path fill="${colour}" d="M0 0h120v40H0z"/></svg>`;

const FILES = {
  'public/logo.svg': logo('#0a4fc9'),
  'public/logo-dark.svg': logo('#8ab4ff'),
  'public/icon.png': '',
  'own/ground.svg': logo('#eee'),
  'own/site.css': '.site-footer { border-block-start: 7px solid var(--accent); background: url(./ground.svg); }\n',
  'own/ProductHead.astro': `---
import ProductHead from 'sortiment/components/product/ProductHead.astro';
---

<p class="own-head">Own head</p>
<ProductHead {...Astro.props} />

<style>
  .own-head {
    color: rebeccapurple;
  }
</style>
`,
  'own/MakerAddress.astro': '<p class="own-address">Own address</p>\n',
};

const FONT = path.resolve(
  import.meta.dirname,
  '../../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
);

let project: ProjectCopy;
let server: RunningCommand | undefined;
let browser: Browser;
let origin: string;

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project.folder, file)), { recursive: true });
    writeFileSync(path.join(project.folder, file), content);
  }
}

async function build(): Promise<void> {
  const { code, stdout, stderr } = await project.run('build', [], OFFLINE);
  expect(code, stdout + stderr).toBe(0);
}

/** Returns the pages, feeds and search files of the built site, without redirects. */
const findPages = (): string[] =>
  readdirSync(path.join(project.folder, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.html$|\.xml$|search.*\.json$/.test(file) && !read(file).includes('http-equiv="refresh"'))
    .toSorted();

const read = (file: string): string => readFileSync(path.join(project.folder, 'dist', file), 'utf8');

/** Returns the pages of products in German. */
const productPages = (): string[] =>
  readdirSync(path.join(project.folder, 'dist/de-de/p')).map((slug) => `de-de/p/${slug}/index.html`);

beforeAll(async () => {
  [project, browser] = await Promise.all([copyProject(), launchBrowser()]);
  await writeTestCatalogue(project.folder, 0.1);
  const snapshot = new DatabaseSync(path.join(project.folder, '.sortiment/snapshot.sqlite'));
  const drawings = [{ kind: 'cad', url: 'https://files.example/a.dwg' }];
  snapshot
    .prepare(`UPDATE products SET record = json_set(record, '$.documents', json(?)) WHERE position = 0`)
    .run(JSON.stringify(drawings));
  snapshot.close();
  write(FILES);
  cpSync(FONT, path.join(project.folder, 'own/sans.woff2'));
  await project.configure({
    brand: {
      logo: { light: '/logo.svg', dark: '/logo-dark.svg' },
      showsName: false,
      icon: '/icon.png',
      accent: { light: '#0a4fc9', dark: '#8ab4ff' },
      font: { name: 'Own Sans', files: ['./own/sans.woff2'] },
    },
    customCss: ['./own/site.css'],
    components: { ProductHead: './own/ProductHead.astro', MakerAddress: './own/MakerAddress.astro' },
    product: { sections: ['quantities', 'use', 'processing'] },
    documentKinds: [{ key: 'cad', labels: { de: 'Zeichnung' } }],
    navigation: {
      header: { hide: ['podcast', 'search'], links: [{ label: { de: 'Über', en: 'About' }, link: '/de-de/about/' }] },
      footer: { hide: ['norms', 'feed'], links: [{ label: 'Shop', link: 'https://shop.example/' }] },
    },
  });
  await build();
  server = project.start('serve', ['--port', '0']);
  [origin = ''] = await server.printed(/http:\/\/(127\.0\.0\.1|localhost):\d+/);
});
afterAll(async () => {
  await server?.stop();
  await browser.close();
  await project.remove();
});

/** Opens a page, and returns what a script reads from it. Violations of the content security policy are errors. */
async function look<T>(url: string, script: () => T): Promise<T> {
  const page = await browser.newPage({ colorScheme: 'light' });
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  try {
    await page.goto(origin + url, { waitUntil: 'networkidle' });
    const result = await page.evaluate(script);
    expect(refused).toEqual([]);
    return result;
  } finally {
    await page.close();
  }
}

describe('a site of its owner', () => {
  it('shows logo, icon, accent colour and styles on every kind of page', async () => {
    for (const url of ['/', '/de-de/', '/404.html', `/${productPages()[0]?.replace('index.html', '')}`]) {
      const seen = await look(url, () => {
        const image = document.querySelector<HTMLImageElement>('.brand img');
        const sample = document.createElement('i');
        sample.style.color = 'var(--accent)';
        document.body.append(sample);
        const footer = document.querySelector('.site-footer');
        return {
          logo: image && [image.currentSrc.replace(location.origin, ''), image.alt, image.width / image.height],
          name: document.querySelector('.brand')?.textContent,
          icon: document.querySelector('link[rel=icon]')?.getAttribute('href'),
          accent: getComputedStyle(sample).color,
          border: footer && getComputedStyle(footer).borderBlockStartWidth,
        };
      });
      const border = url === '/' || url === '/404.html' ? null : '7px';
      const accent = 'rgb(10, 79, 201)';
      expect(seen, url).toEqual({ logo: ['/logo.svg', 'Haldenwerk', 3], name: '', icon: '/icon.png', accent, border });
    }
    expect(read('de-de/index.html')).toContain('srcset="/logo-dark.svg" media="(prefers-color-scheme: dark)"');
  });

  it('shows its font, with a fallback of the same size, and no other', async () => {
    for (const url of ['/', '/de-de/', '/404.html']) {
      const seen = await look(url, () => ({
        family: getComputedStyle(document.body).fontFamily,
        loaded: [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
        files: performance.getEntriesByType('resource').flatMap(({ name }) => (name.includes('.woff') ? [name] : [])),
      }));
      expect(seen.family, url).toMatch(/^"?Own Sans-\w+"?, "?Own Sans-\w+ fallback: Arial"?/);
      expect(seen.loaded.join(), url).toMatch(/Own Sans-\w+/);
      expect(seen.files, url).toHaveLength(1);
    }
    expect(read('de-de/index.html')).toMatch(/size-adjust:[\d.]+%/);
    const fonts = readdirSync(path.join(project.folder, 'dist/_astro'), { recursive: true, encoding: 'utf8' });
    expect(fonts.filter((name) => name.endsWith('.woff2'))).toHaveLength(1);
  });

  it('has its font in a new folder after a build without Vite', async () => {
    rmSync(path.join(project.folder, 'dist'), { recursive: true });
    await build();
    const [, font = ''] = /href="(\/_astro\/fonts\/[^"]+)"/.exec(read('de-de/index.html')) ?? [];
    expect(readFileSync(path.join(project.folder, 'dist', font))).toEqual(readFileSync(FONT));
  });

  it('shows its own components, which may include the originals', () => {
    for (const page of productPages()) {
      const html = read(page);
      expect(html).toContain('Own head');
      expect(html).toContain('product-head__name');
      expect(html.match(/Own address/g), page).toHaveLength(2);
    }
  });
});

/** Returns the texts of links in a part of a page. */
const linksIn = (html: string, [start, end]: readonly [string, string]): string[] =>
  [...(html.split(start)[1]?.split(end)[0] ?? '').matchAll(/<a [^>]*>([^<]+)</g)].map(([, text = '']) => text);

it('has the entries of its owner in header and footer', () => {
  const html = read('en-gb/index.html');
  expect(linksIn(html, ['site-nav', '</nav>'])).toEqual(['Products', 'Downloads', 'Journal', 'About']);
  expect(linksIn(html, ['site-footer__inner', '</nav>'])).toEqual([
    'Downloads',
    'Shortlist',
    'Product data',
    'Imprint',
    'Privacy',
    'Accessibility',
    'Shop',
  ]);
  expect(html.split('<main')[0]).not.toContain('/search/');
});

it('has the sections of its owner on product pages, and always the manufacturer', () => {
  for (const page of productPages()) {
    const html = read(page);
    const headings = [...html.matchAll(/<h2 class="section__title" id="(\w+)"/g)].map(([, id]) => id);
    expect(
      headings.filter((id) => id !== 'processing'),
      page,
    ).toEqual(['quantities', 'use']);
    expect(html.split('product-bar')[1]).toMatch(/href="#quantities".*href="#use"/);
    expect(html.includes('id="documents"') || html.includes('href="#values"')).toBe(false);
    expect(html).toContain('id="maker"');
  }
});

it('offers further kinds of documents, and filters the downloads by them without a script', async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${origin}/de-de/downloads/`);
  const rows = page.locator('.downloads [data-type]');
  const shown = async () => {
    const visible = rows.filter({ visible: true });
    return new Set(await visible.evaluateAll((all) => all.map((row) => row.getAttribute('data-type'))));
  };
  expect((await shown()).size).toBe(4);
  await page.getByLabel('Zeichnung').check();
  expect(await shown()).toEqual(new Set(['cad']));
  const row = rows.filter({ visible: true }).first();
  expect(await row.innerText()).toMatch(/^Zeichnung\s*a\.dwg/);
  expect(await row.locator('a').getAttribute('href')).toBe('https://files.example/a.dwg');
  await page.getByLabel('Datenblatt', { exact: true }).check();
  expect(await shown()).toEqual(new Set(['datasheet']));
  await page.context().close();
});

it('has no pages of kinds that its owner turns off', async () => {
  const before = findPages();
  await project.configure({
    pages: {
      journal: false,
      podcast: false,
      norms: false,
      data: false,
      search: false,
      compare: false,
      downloads: false,
    },
  });
  await build();
  const kinds = /(?:^|\/)(?:journal|podcast|norms|data|search|_search|compare|downloads)\/|\/(?:rss|atom)\.xml/;
  expect(before.filter((file) => kinds.test(file)).length).toBeGreaterThan(20);
  expect(findPages()).toEqual(before.filter((file) => !kinds.test(file)));
  const broken = findBrokenUrls(path.join(project.folder, 'dist'), 'http://localhost:4321');
  expect(broken.filter((url) => kinds.test(url))).toEqual([]);
});

it('is rendered again when one of its files changes', async () => {
  write({ 'own/ProductHead.astro': '<p>Another head</p>', 'own/site.css': '.site-footer { border: 9px solid; }' });
  await build();
  expect(read(productPages()[0] ?? '')).toContain('Another head');
  const [sheet = ''] = /\/_astro\/[^"]+\.css/.exec(read('de-de/index.html')) ?? [];
  expect(read(sheet)).toMatch(/border:\s*9px/);
});

it('is refused with files or names that do not exist', async () => {
  write({ 'own/text.ttf': 'not a font' });
  await project.configure({
    brand: { font: { name: 'None', files: ['./own/none.woff2', './own/site.css', './own/text.ttf'] } },
    customCss: ['./own/none.css'],
    components: { ProductHaed: './own/none.astro' },
  });
  const { code, stderr } = await project.run('build', [], OFFLINE);
  expect(code).toBe(1);
  expect(stderr).toContain("customCss[0] names ./own/none.css, which doesn't exist");
  expect(stderr).toContain("brand.font.files[0] names ./own/none.woff2, which doesn't exist");
  expect(stderr).toContain('brand.font.files[1] names ./own/site.css without "@font-face"');
  expect(stderr).toContain('brand.font.files[2] names ./own/text.ttf: text.ttf is not a font');
  expect(stderr).toContain("components.ProductHaed names ./own/none.astro, which doesn't exist");
  expect(stderr).toContain('components.ProductHaed is not a component of Sortiment; similar are ProductHead, ');
});
