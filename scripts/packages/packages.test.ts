import { execFile, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { auditAccessibility } from '#e2e/audit-accessibility.ts';
import { checkLinks } from '#e2e/check-links.ts';
import { launchBrowser } from '#e2e/launch-browser.ts';
import { listHtmlPages } from '#e2e/list-html-pages.ts';
import { AUDIT_FOLDER } from '#files/testing/audit-tools.ts';
import { validateHtml } from '#files/testing/validate-html.ts';
import { ROOT } from '../cli/load-settings.ts';
import { packOnce } from '../fixtures/pack-once.ts';
import { serveRegistry } from '../fixtures/serve-registry.ts';
import { spawnOrigin, type SpawnedOrigin } from '../fixtures/spawn-origin.ts';
import { findBrokenUrls } from '#build/testing/find-broken-urls.ts';
import { BLOG, WITH_CATALOGUE, WITH_LOADER } from './existing-blog.ts';
import demo from '#sortiment.config.ts';

const MINUTES = 60_000;
vi.setConfig({ testTimeout: 10 * MINUTES });

/** A form that updates while it is filled in needs no submit button. */
const RULES = { 'wcag/h32': 'off', 'no-inline-style': 'error' } as const;
const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
const LANGUAGES = ['nl-nl', 'en-gb'];
const GTINS = ['9524010000016', '9524010000023', '9524010000030'];

const folder = mkdtempSync(path.join(tmpdir(), 'packages-'));
const project = path.join(folder, 'site');
let packages = '';
let tarballs: string[] = [];
let origin: SpawnedOrigin | undefined;
let token = '';

/** Runs a file with this Node, which commands of the project use too. */
async function node(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`;
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env, PATH },
    maxBuffer: 50_000_000,
  });
  return stdout;
}

const npm = async (args: readonly string[], cwd: string) => (await promisify(execFile)('npm', args, { cwd })).stdout;

/** Runs npm with a registry that has some packages, besides those of the configured one. */
async function npmFrom(packed: readonly string[], args: readonly string[], cwd: string): Promise<void> {
  const registry = await serveRegistry(packed);
  try {
    await npm([...args, '--no-audit', '--no-fund', '--registry', registry.url], cwd);
  } finally {
    registry.close();
  }
}

function hashFiles(files: readonly string[]): string {
  return hash('sha256', files.map((file) => `${file}\n${readFileSync(path.join(project, file), 'base64')}`).join('\n'));
}

const sortimentIn = (cwd: string, ...args: string[]) =>
  node([path.join(cwd, 'node_modules/sortiment/scripts/sortiment.js'), ...args], cwd);

const sortiment = (...args: string[]) => sortimentIn(project, ...args);

const page = (file: string) => readFileSync(path.join(project, 'dist', file, 'index.html'), 'utf8');

const ORIGIN_SCRIPT = path.join(ROOT, 'scripts/origin.ts');
const originData = path.join(folder, 'origin');

/** Imports three products. @param dearest GTIN and language of a record with another price. */
async function importProducts(dearest?: string): Promise<void> {
  const records = GTINS.flatMap((gtin, i) =>
    LANGUAGES.map((language) => ({
      gtin,
      language,
      name: `Alpfolie ${i + 1}`,
      item_number: `A-${i + 1}`,
      price: `${language}/${gtin}` === dearest ? '99.50' : '24.90',
      availability: 'available',
    })),
  );
  const file = path.join(folder, 'products.ndjson');
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  await node([ORIGIN_SCRIPT, 'product', 'import', file, '--data', originData], ROOT);
}

/** Serves three products of another manufacturer in Dutch and English. */
async function serveProducts(): Promise<{ origin: SpawnedOrigin; token: string }> {
  const data = originData;
  const script = ORIGIN_SCRIPT;
  for (const language of LANGUAGES) await node([script, 'language', 'add', language, '--data', data], ROOT);
  await importProducts();
  await node([script, 'user', 'create', 'site', '--email=site@example.com', '--data', data], ROOT);
  const token = await node([script, 'token', 'create', '--label', 'site', '--data', data, '--json'], ROOT);
  return { origin: await spawnOrigin(data), token: (JSON.parse(token) as { token: string }).token };
}

/** Adds a currency, a logo, a style sheet, a component and a page of the manufacturer. */
function writeOwnFiles(): void {
  const config = readFileSync(path.join(project, 'src/sortiment.config.ts'), 'utf8');
  const options = `
  price: { currency: 'CHF', show: 'net' },
  product: { fields: { garantie: { type: 'number', unit: 'jaar', label: 'Garantie' } } },
  customCss: ['./src/own/site.css'],
  components: { BrandMark: './src/own/Mark.astro' },
`;
  const files = {
    'src/sortiment.config.ts': config.replace(/(?=\}\);)/, options.trimStart()),
    [`content/products/${GTINS[0]}.mdx`]: '---\nfields: { garantie: 12.5 }\n---\n',
    'src/own/site.css': ':root { --gutter: 7rem; }\n',
    'src/own/Mark.astro':
      '<svg viewBox="0 0 9 9" width="24" height="24" aria-hidden="true"><path d="M0 9 4 0z" /></svg><span>Alpfolie</span>\n',
    'src/pages/nl-nl/over-ons.astro': OWN_PAGE,
  };
  writeFiles(project, files);
}

function writeFiles(target: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
    writeFileSync(path.join(target, file), text);
  }
}

const OWN_PAGE = `---
import { getEntry } from 'astro:content';

const product = await getEntry('products', 'nl-nl/${GTINS[0]}');
---

<h1>Over ons</h1>
<p>{product?.data.name}</p>
`;

/** Matches the maker of the demo, its addresses, phone numbers, editors, trade names and item numbers. */
function demoWords(): RegExp {
  const { site, maker, contact } = demo;
  const records = JSON.parse(readFileSync(path.join(ROOT, 'content/demo/products.json'), 'utf8')) as Record<
    string,
    Record<string, { name: string; item_number: string }>
  >;
  const products = Object.values(records).flatMap((languages) => Object.values(languages));
  const editors = readFileSync(path.join(ROOT, 'content/demo/site.yaml'), 'utf8').matchAll(/(?:name|email): (.+)/g);
  const words = [
    site.name,
    ...maker.address,
    ...[contact.phone ?? ''].flatMap((phone) => (typeof phone === 'string' ? phone : Object.values(phone))),
    ...products.flatMap(({ name, item_number }) => [name.split(' ', 1)[0] ?? '', item_number]),
    ...Array.from(editors, ([, text = '']) => text),
  ];
  return RegExp(words.flatMap((word) => (word.length > 2 ? RegExp.escape(word) : [])).join('|'), 'i');
}

beforeAll(async () => {
  ({ folder: packages, tarballs } = await packOnce());
  ({ origin, token } = await serveProducts());
  const create = path.join(packages, 'create-sortiment/scripts/create.js');
  await node(
    [
      create,
      project,
      '--yes',
      '--name=Alpfolie AG',
      `--languages=${LANGUAGES}`,
      `--product-url=${origin.url}/${PRODUCT_ROOT}`,
    ],
    folder,
  );
  const env = path.join(project, '.env');
  writeFileSync(env, readFileSync(env, 'utf8').replace('PRODUCT_API_TOKEN=', `PRODUCT_API_TOKEN=${token}`));
  writeFileSync(
    path.join(project, 'content/assortment/products.csv'),
    `gtin,family\n${GTINS.map((gtin) => `${gtin},folies\n`).join('')}`,
  );
  writeOwnFiles();
  const [tarball = ''] = tarballs;
  await npmFrom([tarball], ['install'], project);
  await sortiment('sync', '--exit-zero');
  await sortiment('build');
}, 15 * MINUTES);

afterAll(async () => {
  await origin?.kill();
  rmSync(folder, { recursive: true });
});

describe('the packages', () => {
  it('contain neither tests nor the demo', () => {
    const files = globSync('**/*', { cwd: packages });
    expect(files.filter((file) => /\.test\.|\/(?:testing|fixtures|e2e|demo|bench)\//.test(file))).toEqual([]);
    const sources = files.filter((file) => /\.(?:js|mjs|ts|astro|css|json|yaml|svg)$/.test(file));
    const read = (file: string) => readFileSync(path.join(packages, file), 'utf8');
    const words = demoWords();
    expect(sources.filter((file) => words.test(read(file)))).toEqual([]);
    const digest = (file: string) => hash('sha256', readFileSync(file));
    const media = globSync('content/demo/media/**/*.*', { cwd: ROOT }).map((file) => digest(path.join(ROOT, file)));
    const packed = files.filter((file) => path.extname(file) !== '' && statSync(path.join(packages, file)).isFile());
    expect(packed.filter((file) => media.includes(digest(path.join(packages, file))))).toEqual([]);
  });
});

describe.each(['sortiment', '@sortiment/origin', 'create-sortiment'])('the package %s', (name) => {
  const tool = (file: string) => path.join(AUDIT_FOLDER, 'node_modules', file);

  it('has no problem that publint finds', async () => {
    const found = await node([tool('publint/src/cli.js'), path.join(packages, name), '--strict'], folder);
    expect(found).toContain('All good!');
  });

  it('declares types that resolve', async () => {
    const tarball = tarballs.find((file) =>
      path.basename(file).startsWith(`${name.slice(name.indexOf('@') + 1).replace('/', '-')}-0`),
    );
    const found = await node(
      [tool('@arethetypeswrong/cli/dist/index.js'), tarball ?? '', '--profile=esm-only'],
      folder,
    );
    // Other problems end it with an exit code above 0.
    expect(found).not.toMatch(/^(?:node16 \(from ESM\)|bundler): (?:💀|❌|⚠)/m);
  });
});

describe('a project of a manufacturer', () => {
  it('has its products in its languages', () => {
    for (const [i, gtin] of GTINS.entries())
      for (const language of LANGUAGES)
        expect(page(`${language}/p/alpfolie-${i + 1}-${gtin}`)).toContain(`<h1>Alpfolie ${i + 1}`);
    expect(page('nl-nl')).toContain('lang="nl-NL"');
    expect(page('nl-nl')).toContain('Producten');
  });

  it('has its own currency, field, colours, styles, component and page', () => {
    const html = page(`nl-nl/p/alpfolie-1-${GTINS[0]}`);
    expect(html).toMatch(/CHF\s?24,90/);
    expect(html).toContain('M0 9 4 0z');
    expect(html).toMatch(/Garantie<\/th>\s*<td>12,5\s?jaar/);
    const css = globSync('_astro/*.css', { cwd: path.join(project, 'dist') })
      .map((file) => readFileSync(path.join(project, 'dist', file), 'utf8'))
      .join('');
    expect(css).toMatch(/--gutter:\s*7rem/);
    expect(html + css).toContain('#0a5bb5');
    expect(page('nl-nl/over-ons')).toContain('Alpfolie 1');
  });

  it('has nothing of the demo', () => {
    const files = globSync('**/*.{html,xml,json,txt,css,js}', { cwd: path.join(project, 'dist') });
    const read = (file: string) => readFileSync(path.join(project, 'dist', file), 'utf8');
    expect(files.filter((file) => /haldenwerk/i.test(read(file)))).toEqual([]);
  });

  it('installs neither the origin nor the engine of share images', () => {
    const installed = ['@sortiment/origin', 'satori', '@electric-sql/pglite'];
    expect(installed.filter((name) => existsSync(path.join(project, 'node_modules', name)))).toEqual([]);
  });

  it('has valid pages without barriers or broken links', async () => {
    const script = path.join(project, 'node_modules/sortiment/scripts/sortiment.js');
    const server = spawn(process.execPath, [script, 'serve', '--port=0'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const browser = await launchBrowser();
    try {
      const [printed] = await once(server.stdout, 'data');
      const [siteUrl = ''] = /http:\/\/localhost:\d+/.exec(String(printed)) ?? [];
      const pages = await listHtmlPages(path.join(project, 'dist'));
      // The page of the project has neither a layout nor a description.
      const ours = pages.filter((name) => !name.includes('over-ons') && !name.endsWith('.html'));
      expect(ours.length).toBeGreaterThan(10);
      for (const name of ours) expect([name, ...(await validateHtml(page(name), RULES))]).toEqual([name]);
      expect(await auditAccessibility(browser, { siteUrl, pages: ours })).toEqual([]);
      const { urls, dead } = await checkLinks(
        siteUrl,
        LANGUAGES.map((language) => `/${language}/`),
      );
      expect(urls.length).toBeGreaterThan(ours.length);
      expect(dead).toEqual([]);
    } finally {
      await browser.close();
      server.kill();
    }
  });

  it('completes commands, and has texts to translate', async () => {
    expect(await sortiment('completions', 'bash')).toContain("'origin product') words=");
    expect(await sortiment('strings', 'add', 'nl')).toContain('All texts of nl are translated');
  });

  it('builds incrementally', async () => {
    expect(await sortiment('build')).toContain('cached bundle');
  });

  it('serves the embedded origin once it is installed', async () => {
    await npmFrom(tarballs, ['install', '@sortiment/origin'], project);
    const script = path.join(project, 'node_modules/sortiment/scripts/sortiment.js');
    const server = spawn(
      process.execPath,
      [script, 'origin', '--json', '--port=0', '--data', path.join(folder, 'own')],
      {
        cwd: project,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    try {
      const [line] = await once(server.stdout, 'data');
      const { url } = JSON.parse(String(line)) as { url: string };
      const response = await fetch(`${url}/admin/`);
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<style>')]);
    } finally {
      server.kill();
    }
  });

  it('moves to the next version without a change to its files', async () => {
    const next = path.join(folder, 'next');
    const names = ['sortiment', '@sortiment/origin'];
    for (const name of names) cpSync(path.join(packages, name), path.join(next, name), { recursive: true });
    const edit = (file: string, from: RegExp, to: string) => {
      const text = readFileSync(path.join(next, file), 'utf8');
      expect(text).toMatch(from);
      writeFileSync(path.join(next, file), text.replace(from, to));
    };
    for (const name of names) edit(`${name}/package.json`, /(?<="version": "\d+\.\d+\.)\d+/, '99');
    edit('@sortiment/origin/package.json', /(?<="sortiment": "\d+\.\d+\.)\d+/, '99');
    edit('sortiment/src/components/SiteFooter.astro', /(?=<\/footer>)/, '<p>Next version</p>');
    edit('sortiment/src/config/options.js', /(?<=records: z.boolean\(\)\.default\()true/, 'false');
    edit('sortiment/src/snapshot/schema.js', /(?<=SNAPSHOT_VERSION = )\d+/, '99');
    edit('sortiment/src/snapshot/schema.js', /(?<=CREATE TABLE products \()/, 'next_column TEXT,');
    const files = globSync('{src,content,public}/**/*.*', { cwd: project }).toSorted();
    const own = () => hashFiles([...files, 'astro.config.mjs', 'package.json', 'tsconfig.json']);
    const before = own();
    const packed: string[] = [];
    for (const name of names) {
      const [{ filename } = { filename: '' }] = JSON.parse(await npm(['pack', '--json'], path.join(next, name))) as {
        filename: string;
      }[];
      packed.push(path.join(next, name, filename));
    }
    await npmFrom(packed, ['update', ...names], project);
    expect(await sortiment('build')).not.toContain('cached bundle');
    expect(page('nl-nl')).toContain('<p>Next version</p>');
    expect(existsSync(path.join(project, `dist/${PRODUCT_ROOT}`))).toBe(false);
    expect(page(`nl-nl/p/alpfolie-1-${GTINS[0]}`)).toContain('<h1>Alpfolie 1');
    expect(own()).toBe(before);
  });
});

describe('an existing Astro site', () => {
  const blog = path.join(folder, 'blog');
  const dist = path.join(blog, 'dist');
  const astroBuild = () => node([path.join(blog, 'node_modules/astro/bin/astro.mjs'), 'build'], blog);
  const read = (file: string) => readFileSync(path.join(dist, file), 'utf8');
  const listFiles = () => globSync('**/*.*', { cwd: dist }).toSorted();
  const readFiles = () => new Map(listFiles().map((file) => [file, read(file)]));
  const product = `catalogue/en-gb/p/alpfolie-1-${GTINS[0]}/index.html`;
  let before: ReadonlyMap<string, string>;
  let added: { packages: number; megabytes: number };

  /** Returns number and size of the installed packages. */
  const measureInstalled = () => {
    const files = globSync('node_modules/**/*', { cwd: blog, withFileTypes: true }).filter((file) => file.isFile());
    const bytes = files.map((file) => statSync(path.join(file.parentPath, file.name)).size);
    const lock = JSON.parse(readFileSync(path.join(blog, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: object;
    };
    return {
      packages: Object.keys(lock.packages).length,
      megabytes: bytes.reduce((sum, size) => sum + size, 0) / 1e6,
    };
  };

  beforeAll(async () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: { astro: string };
    };
    const manifest = { name: 'blog', type: 'module', private: true, dependencies: { astro: dependencies.astro } };
    writeFiles(blog, { ...BLOG, 'package.json': JSON.stringify(manifest) });
    await npm(INSTALL, blog);
    const alone = measureInstalled();
    await astroBuild();
    before = readFiles();
    const [tarball = ''] = tarballs;
    await npm([...INSTALL, tarball], blog);
    const both = measureInstalled();
    added = { packages: both.packages - alone.packages, megabytes: both.megabytes - alone.megabytes };
    writeFiles(blog, {
      ...WITH_CATALOGUE,
      '.env': `PRODUCT_API_URL=${origin?.url}/${PRODUCT_ROOT}\nPRODUCT_API_TOKEN=${token}\n`,
      'content/assortment/products.csv': `gtin,family\n${GTINS.map((gtin) => `${gtin},folies\n`).join('')}`,
    });
    await sortimentIn(blog, 'sync', '--exit-zero');
    await sortimentIn(blog, 'build');
  }, 10 * MINUTES);

  it('installs at most 200 packages and 120 MB beyond those of Astro', () => {
    expect(added.packages).toBeGreaterThan(1);
    expect(added.packages).toBeLessThanOrEqual(200);
    expect(added.megabytes).toBeLessThanOrEqual(120);
  });

  it('has the same pages as before', () => {
    expect(before.size).toBeGreaterThan(3);
    expect(Object.fromEntries([...before.keys()].map((file) => [file, read(file)]))).toEqual(
      Object.fromEntries(before),
    );
  });

  it('has products and lists in its own layout below the path, and no other pages', () => {
    const html = read(product);
    expect(html).toContain('class="blog-nav"');
    expect(html).not.toContain('site-header');
    expect(html).toContain('<h1>Alpfolie 1');
    expect(html).toMatch(/--brand-font:\s*"?Blog Sans/);
    const url = `https://blog.example/site/catalogue/en-gb/p/alpfolie-1-${GTINS[0]}/`;
    expect(html).toContain(`<link rel="canonical" href="${url}">`);
    expect(html).toContain(`hreflang="nl-NL" href="${url.replace('en-gb', 'nl-nl')}"`);
    expect(read('catalogue/sitemap-index.xml')).toContain('https://blog.example/site/catalogue/sitemap-0.xml');
    expect(read('catalogue/sitemap-0.xml')).toContain(`<loc>${url}</loc>`);
    expect(read('catalogue/sitemap-0.xml')).not.toContain('/site/blog/');
    const pages = listFiles().filter((file) => file.endsWith('.html') && !before.has(file));
    expect(pages.filter((file) => !file.startsWith('catalogue/'))).toEqual([]);
    const kinds = pages.flatMap((file) => /^catalogue\/en-gb\/([^/]+)\//.exec(file)?.[1] ?? []);
    expect(new Set(kinds)).toEqual(new Set(['p', 'products', 'list', '404']));
    expect(findBrokenUrls(dist, 'https://blog.example/site')).toEqual([]);
  });

  it('renders one product after a change of its price, and the home pages, which show changes', async () => {
    const timeOf = (file: string) => statSync(path.join(dist, file)).mtimeMs;
    const pages = listFiles().filter((file) => file.endsWith('.html'));
    const times = new Map(pages.map((file) => [file, timeOf(file)]));
    await importProducts(`en-gb/${GTINS[0]}`);
    await sortimentIn(blog, 'sync', '--exit-zero');
    expect(await sortimentIn(blog, 'build')).toContain('cached bundle');
    const homePages = LANGUAGES.map((language) => `catalogue/${language}/index.html`);
    expect(pages.filter((file) => timeOf(file) !== times.get(file))).toEqual([product, ...homePages].toSorted());
    expect(read(product)).toContain('99.50');
  });

  it('names settings of Astro that the catalogue can’t follow', async () => {
    const config = WITH_CATALOGUE['astro.config.mjs'] ?? '';
    writeFiles(blog, {
      'astro.config.mjs': config.replace("'ignore'", "'never'").replace('blog.example', 'other.example'),
    });
    await expect(astroBuild()).rejects.toThrow(
      /trailingSlash: .*\n.*site: the catalogue is at https:\/\/blog\.example/,
    );
  });

  it('lists products on its own page with a loader alone', async () => {
    writeFiles(blog, WITH_LOADER);
    await astroBuild();
    expect(read('products/index.html')).toMatch(/<li>A-1 Alpfolie 1<\/li><li>A-2 Alpfolie 2<\/li>/);
  });
});
