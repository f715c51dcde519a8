import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { cleanEnvironment, copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { findBrokenUrls } from './testing/find-broken-urls.ts';
import { RANGE_PAGE } from './testing/range-page.ts';
import { editSnapshot, createSeededRandom, writeTestCatalogue } from './testing/test-catalogue.ts';

// Each test builds whole sites, possibly on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const SOAK = Number(process.env['SORTIMENT_SOAK'] ?? 1);
const IS_SOAK = process.env['SORTIMENT_SOAK'] !== undefined;
const EDITS_AT_ONCE = 6;
/** Per round. */
const KILLS = IS_SOAK ? 4 : 1;

const BASE = '/katalog/';

/** Number of further builds, each after one change: mostly a small part of a catalogue. */
const SMALL_BUILDS = IS_SOAK ? 6 : 2;

/** Built incrementally and repeatedly. */
let project: ProjectCopy;
/** Built by Astro alone, as the reference. */
let plain: ProjectCopy;

/** A custom route of all products. */
const LABELS = `
import { readCollection } from '#catalogue/site/read-collection.ts';

export async function getStaticPaths() {
  const products = await readCollection('products');
  return products.map(({ data: { pageLanguage, gtin, ...props } }) => ({ params: { language: pageLanguage, gtin }, props }));
}

export const GET = ({ props: { slug, name, family, archived } }) =>
  new Response([name, slug, family, archived?.reason].join('\\n'));
`;

/** A custom route of cheap products: prices determine its pages. */
const OFFERS = `
import { loadSite } from '#catalogue/site/load-site.ts';

export async function getStaticPaths() {
  const site = await loadSite();
  return site.languages.flatMap(({ code }) =>
    site
      .productGroups(code)
      .flatMap(({ products }) => products.map(site.details))
      .filter(({ price }) => Number(price?.value) < 50)
      .map(({ gtin, price }) => ({ params: { language: code, gtin }, props: { price: price.value } })),
  );
}

export const GET = ({ props: { price } }) => new Response(price);
`;

/** A page of one product, which a sync may change or remove. */
const SINGLE = `---
import { getEntry } from 'astro:content';

const product = await getEntry('products', 'de-de/9524000000019');
---

<html><head><title>{product?.data.name}</title></head><body>{JSON.stringify(product)}</body></html>
`;

/** A component in an overlay with content unrelated to the product. */
const NEWS = `---
import { loadSite } from '#catalogue/site/load-site.ts';

const [post] = (await loadSite()).posts('de-de');
---

<p>{post?.title}</p>
`;
const OVERLAY = `import News from '../../../src/components/News.astro';

<News />
`;
const OF_OVERLAY = '9524000000002';

/** A file of each product that depends on posts: they are read to find it but not shown. */
const HINTS = `
import { productsToRender } from '#catalogue/site/pages-to-render.ts';
import { loadSite } from '#catalogue/site/load-site.ts';

export async function getStaticPaths() {
  const site = await loadSite();
  return productsToRender(site)
    .filter(({ language, gtin }) => gtin === '${OF_OVERLAY}' && site.posts(language).length > 0)
    .map(({ language, slug }) => ({ params: { language, slug }, props: {} }));
}

export const GET = () => new Response('There are posts.');
`;

/** Each product page of this customized project shows the English content of this product. */
const NAMED_BY_ALL = '9524000000057';

/** A page with data outside of the source: an imported file, and a glob import. */
const DEALERS = `
import { existsSync } from 'node:fs';
import dealers from '../../data/dealers.json';

const branches = import.meta.glob('../../data/branches/*.json', { eager: true, import: 'default' });

export const GET = () => {
  if (existsSync('no-dealer')) throw new Error('No dealer can be reached');
  return new Response([...dealers, ...Object.values(branches)].join(' '));
};
`;

beforeAll(async () => {
  [project, plain] = await Promise.all([copyProject(), copyProject()]);
  await writeTestCatalogue(project.folder, IS_SOAK ? 1 : 0.6);
  // Preview images take half of a build from scratch.
  if (!IS_SOAK) for (const copy of [project, plain]) await copy.configure({ shareImages: false });
  for (const { folder } of [project, plain]) {
    mkdirSync(path.join(folder, 'src/pages/[language]/labels'));
    writeFileSync(path.join(folder, 'src/pages/[language]/labels/[gtin].txt.ts'), LABELS);
    // Route that shares its folder with the journal.
    writeFileSync(path.join(folder, 'src/pages/[language]/journal/offer-[gtin].txt.ts'), OFFERS);
    mkdirSync(path.join(folder, 'src/pages/[language]/p/[slug]'));
    writeFileSync(path.join(folder, 'src/pages/[language]/p/[slug]/hint.txt.ts'), HINTS);
    writeFileSync(path.join(folder, 'src/components/News.astro'), NEWS);
    const productPage = path.join(folder, 'src/pages/[language]/p/[slug].astro');
    const named = `<p>{site.product(language, '${NAMED_BY_ALL}')?.name}</p>
      <p>{site.product('en-gb', Astro.props.gtin)?.availability}</p>`;
    writeFileSync(productPage, readFileSync(productPage, 'utf8').replace('<ProductTexts', `${named}$&`));
    writeFileSync(path.join(folder, `content/products/de-de/${OF_OVERLAY}.mdx`), OVERLAY);
    mkdirSync(path.join(folder, 'src/pages/range'));
    writeFileSync(path.join(folder, 'src/pages/range/[language].astro'), RANGE_PAGE);
    writeFileSync(path.join(folder, 'src/pages/range/single.astro'), SINGLE);
    mkdirSync(path.join(folder, 'data/branches'), { recursive: true });
    writeFileSync(path.join(folder, 'data/dealers.json'), '["Adam"]');
    writeFileSync(path.join(folder, 'src/pages/dealers.txt.ts'), DEALERS);
    // In a subfolder of the host, like project pages.
    const astroConfig = path.join(folder, 'astro.config.mjs');
    writeFileSync(astroConfig, readFileSync(astroConfig, 'utf8').replace('site:', `base: '${BASE}',\n  site:`));
    for (const language of ['de-de', 'en-gb', 'fr-fr']) {
      const home = `---\ntitle: Home\n---\n\n[All of them](/${language}/products/membranes/)\n`;
      writeFileSync(path.join(folder, `content/pages/${language}/home.mdx`), home);
    }
    const config = path.join(folder, 'src/sortiment.config.ts');
    const text = readFileSync(config, 'utf8');
    writeFileSync(
      config,
      text.replace(
        "price: { show: 'net' }",
        "price: { show: 'gross', vat: { de: 19, en: 20, fr: 20 }, currency: 'CHF' }",
      ),
    );
  }
});

afterAll(() => Promise.all([project.remove(), plain.remove()]));

const built = z.object({ way: z.string(), why: z.string(), pages: z.number() });

async function build(copy: ProjectCopy, ...flags: string[]): Promise<z.output<typeof built> & { log: string }> {
  const { code, stdout, stderr } = await copy.run('build', ['--json', ...flags], { SORTIMENT_OFFLINE: '1' });
  expect(code, stdout + stderr).toBe(0);
  return { ...built.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')), log: stderr };
}

/** Reads every file of a site, without build times. */
function readSite({ folder }: ProjectCopy): Map<string, string> {
  const dist = path.join(folder, 'dist');
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file): [string, string] => [path.relative(dist, file), readFileSync(file, 'latin1')])
      .map(([file, text]): [string, string] => [
        file,
        file === 'build.json' ? text.replace(/"built":"[^"]+"/, '') : text,
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Returns the files that differ from Astro's build of the same snapshot from scratch. */
async function differences(): Promise<string[]> {
  rmSync(path.join(plain.folder, '.sortiment'), { recursive: true, force: true });
  cpSync(path.join(project.folder, '.sortiment'), path.join(plain.folder, '.sortiment'), { recursive: true });
  expect(await build(plain, '--default-loop')).toMatchObject({ way: 'default loop' });
  return differencesNow();
}

/** Compares with the previous reference build, while the snapshot is unchanged: Astro's loop takes as long as Vite. */
function differencesNow(): string[] {
  const [ours, astros] = [readSite(project), readSite(plain)];
  return [...new Set([...ours.keys(), ...astros.keys()])].filter(
    (file) => ours.get(file) !== astros.get(file) && !areSameMaps(ours.get(file), astros.get(file)),
  );
}

/**
 * Compares sitemaps. A build from scratch can't know when a list last changed, and uses the date of the latest content.
 * An incremental build may have an earlier date, never a later one.
 */
function areSameMaps(ours = '', astros = ''): boolean {
  const [left, right] = [ours, astros].map((text) => text.split('<url>'));
  if (!left || !right || left.length < 2 || left.length !== right.length) return false;
  return left.every((entry, i) => {
    const other = right[i] ?? '';
    if (entry === other) return true;
    const isProduct = /<loc>[^<]*\/p\/[^<]*<\/loc>/.test(entry);
    const [before = '', after = ''] = [entry, other].map((text) => LASTMOD.exec(text)?.[1] ?? '');
    return !isProduct && before !== '' && before < after && entry.replace(LASTMOD, '') === other.replace(LASTMOD, '');
  });
}

const LASTMOD = /<lastmod>([^<]+)<\/lastmod>/;

it('needs Vite as long as no build has cached a bundle', async () => {
  expect(await build(project, '--threads', '2')).toMatchObject({
    way: 'vite',
    why: 'no earlier build has cached a bundle',
  });
});

it('shows prices in the configured currency', () => {
  const pages = [...readSite(project)].filter(([file]) => /^de-de\/p\/[^/]+\/index\.html$/.test(file));
  const prices = pages.flatMap(([, html]) => /<p class="price"><strong>([^<]+)/.exec(html)?.[1] ?? []);
  expect(prices.length).toBeGreaterThan(20);
  expect(prices.filter((price) => !price.endsWith('CHF'))).toEqual([]);
});

it('builds the same in another checkout with nothing but the bundle of this one', async () => {
  const kept = path.join(plain.folder, '.sortiment');
  cpSync(path.join(project.folder, '.sortiment/build/bundle'), path.join(kept, 'build/bundle'), { recursive: true });
  for (const name of ['snapshot.sqlite', 'assets'])
    cpSync(path.join(project.folder, '.sortiment', name), path.join(kept, name), { recursive: true });
  expect(await build(plain)).toMatchObject({
    way: 'cached bundle',
    why: 'another checkout with the same sources has built it',
  });
  expect(differencesNow()).toEqual([]);
});

it('has no address that leads out of the folder of the host that the site lies in, or to nothing', () => {
  const dist = path.join(project.folder, 'dist');
  expect(findBrokenUrls(dist, `http://localhost:4321${BASE.slice(0, -1)}`)).toEqual([]);
  expect(readFileSync(path.join(dist, 'de-de/index.html'), 'utf8')).toContain(
    `<a href="${BASE}de-de/products/membranes/">All of them</a>`,
  );
});

it('knows which pages read what it can not note, and that no others do', () => {
  const bundle = readFileSync(path.join(project.folder, '.sortiment/build/bundle/bundle.json'), 'utf8');
  expect(z.object({ state: z.object({ unrecorded: z.array(z.string()) }) }).parse(JSON.parse(bundle)).state).toEqual({
    unrecorded: ['src/pages/dealers.txt.ts'],
  });
  const pages = new DatabaseSync(path.join(project.folder, '.sortiment/build/pages.sqlite'), { readOnly: true });
  const unknown = pages.prepare('SELECT file FROM pages WHERE key IS NULL ORDER BY file').all();
  expect(unknown.map(({ file }) => String(file).replace(/\/p\/.*-/, '/p/…'))).toEqual([
    `de-de/p/…${OF_OVERLAY}/index.html`,
    'dealers.txt',
    // Shows the German text.
    `fr-fr/p/…${OF_OVERLAY}/index.html`,
  ]);
  pages.close();
});

/** Returns the write times of files, except for those that every build writes. */
function writtenTimes(): Map<string, number> {
  const files = [...readSite(project).keys()].filter((file) => !/^(build\.json|sitemap)/.test(file));
  return new Map(files.map((file) => [file, statSync(path.join(project.folder, 'dist', file)).mtimeMs]));
}

it('leaves files alone when nothing changed, and needs no Vite for it', async () => {
  const before = writtenTimes();
  const { way, pages, log } = await build(project, '--verbose');
  expect(way).toBe('cached bundle');
  expect(writtenTimes()).toEqual(before);
  const [, looked = ''] = /^(\d+) pages are looked at$/m.exec(log) ?? [];
  expect(Number(looked), log).toBeGreaterThan(0);
  expect(Number(looked), log).toBeLessThan(pages / 4);
});

it('renders all pages on several threads where some are missing, and writes only these', async () => {
  const [site, before] = [readSite(project), writtenTimes()];
  const page = [...site.keys()].find((file) => file.startsWith('en-gb/p/')) ?? '';
  const missing = ['de-de/index.html', page];
  for (const file of missing) rmSync(path.join(project.folder, 'dist', file));
  const { way, log } = await build(project, '--threads', '2', '--verbose');
  expect(way).toBe('cached bundle');
  expect(log).toContain('All pages are looked at');
  expect([...writtenTimes()].filter(([file, time]) => before.get(file) !== time).map(([file]) => file)).toEqual(
    missing,
  );
  expect([...readSite(project)].filter(([file, text]) => site.get(file) !== text).map(([file]) => file)).toEqual([]);
  // Repeated by the next build if the posts change.
  const hint = { route: 'src/pages/[language]/p/[slug]/hint.txt.ts', read: expect.stringMatching(/^posts /) };
  expect(askedByRoutes()).toContainEqual(expect.objectContaining(hint));
});

it('renders of a changed episode no more than what shows it', async () => {
  const before = readSite(project);
  const database = new DatabaseSync(path.join(project.folder, '.sortiment/snapshot.sqlite'));
  database.exec(
    `UPDATE records SET record = json_set(record, '$.title', 'Renamed'), digest = 'new' WHERE kind = 'episode' AND id = '204'`,
  );
  database.close();
  expect(await build(project)).toMatchObject({ way: 'cached bundle' });
  const changed = [...readSite(project)].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);
  // Both products of its notes and chapters, and its neighbours; search, sitemap and build files are excluded.
  const pages = changed.filter((file) => !/^(_search|sitemap|build\.json|changes)/.test(file));
  expect(pages.map((file) => file.replace(/\/p\/[^/]+/, '/p/…'))).toEqual([
    'de-de/p/…/index.html',
    'de-de/p/…/index.html',
    'de-de/podcast/episode-2/index.html',
    ...['embed/index.html', 'index.html', 'index.html.md', 'oembed.json'].map(
      (file) => `de-de/podcast/episode-4/${file}`,
    ),
    'de-de/podcast/episode-5/index.html',
    'de-de/podcast/feed.xml',
    'de-de/podcast/index.html',
    'llms.txt',
  ]);
});

it('renders of a renamed product what shows it: the last of its family and what is no longer offered as well', async () => {
  const before = readSite(project);
  const file = path.join(project.folder, '.sortiment/snapshot.sqlite');
  const database = new DatabaseSync(file);
  const isFirst = `language = 'en-gb' AND family = 'membranes' AND position = 1`;
  database.exec(`UPDATE products SET record = json_set(record, '$.name', 'Renamed'), digest = 'new' WHERE ${isFirst}`);
  const gone = database.prepare(`SELECT gtin FROM products WHERE language = 'en-gb' AND state = 'gone'`).all();
  const last = database
    .prepare(
      `SELECT gtin FROM products WHERE language = 'en-gb' AND family = 'membranes' AND state = 'present'
      ORDER BY position DESC LIMIT 3`,
    )
    .all();
  database.close();
  expect(await build(project)).toMatchObject({ way: 'cached bundle' });
  const changed = [...readSite(project)].filter(([name, text]) => before.get(name) !== text).map(([name]) => name);
  const shown = changed.flatMap((name) => /^en-gb\/p\/.*?(\d{13})\/index\.html$/.exec(name)?.[1] ?? []);
  expect(gone.length).toBeGreaterThan(1);
  expect(shown).toEqual(expect.arrayContaining([...gone, ...last].map(({ gtin }) => gtin)));
  // The previous page, and the moved page at its old and new URL.
  expect(shown).toHaveLength(gone.length + last.length + 3);
});

it('renders all product pages where one is renamed that they name, as they have been changed to do', async () => {
  const database = new DatabaseSync(path.join(project.folder, '.sortiment/snapshot.sqlite'));
  const set = `record = json_set(record, '$.name', 'Named by all'), digest = 'named'`;
  database.exec(`UPDATE products SET ${set} WHERE language = 'en-gb' AND gtin = '${NAMED_BY_ALL}'`);
  database.close();
  expect(await build(project)).toMatchObject({ way: 'cached bundle' });
  const pages = [...readSite(project)]
    .filter(([file]) => /^en-gb\/p\/[^/]+\/index\.html$/.test(file))
    // Former pages are redirects now.
    .filter(([, html]) => !html.includes('http-equiv="refresh"'));
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter(([, html]) => !html.includes('<p>Named by all</p>')).map(([file]) => file)).toEqual([]);
});

it('shows what has changed in files that a page reads from outside of the source, and which of them there are', async () => {
  const shown = (): string => readFileSync(path.join(project.folder, 'dist/dealers.txt'), 'utf8');
  expect(shown()).toBe('Adam');
  for (const { folder } of [project, plain]) {
    writeFileSync(path.join(folder, 'data/dealers.json'), '["Berta"]');
    writeFileSync(path.join(folder, 'data/branches/north.json'), '"Carl"');
  }
  expect(await build(project)).toMatchObject({
    way: 'vite',
    why: 'source, configuration or languages have changed',
  });
  expect(shown()).toBe('Berta Carl');
});

it('ends with the error of a page, and goes on with the bundle that it has kept', async () => {
  const cause = path.join(project.folder, 'no-dealer');
  writeFileSync(cause, '');
  const failed = await project.run('build', [], { SORTIMENT_OFFLINE: '1' });
  rmSync(cause);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/dealers\.txt[^]*No dealer can be reached/) });
  expect(failed.stderr).not.toContain('Building with Vite');
  expect(await build(project)).toMatchObject({ way: 'cached bundle' });
});

it(
  'ends where a build from nothing ends, whatever a sync has changed and whenever builds were killed',
  async () => {
    for (let round = 0; round < SOAK; round++) {
      const random = createSeededRandom(round);
      for (let kill = 0; kill < KILLS; kill++) await killBuild(random, 900);
      for (let step = 0; step < 2; step++) {
        for (let edit = 0; edit < EDITS_AT_ONCE; edit++) editSnapshot(project.folder, random);
        // After a kill all pages are rendered, on several threads.
        expect(await build(project, ...(step === 0 ? ['--threads', '2'] : []))).toMatchObject({ way: 'cached bundle' });
      }
      for (let step = 0; step < SMALL_BUILDS; step++) {
        editSnapshot(project.folder, random);
        expect(await build(project)).toMatchObject({ way: 'cached bundle' });
      }
      expect(await differences(), `seed ${round}`).toEqual([]);
    }
  },
  300_000 * SOAK,
);

// The snapshot is unchanged from here on, so that the reference is built once.

/** Changes the snapshot, builds, and kills the build before or just after its end. */
async function killBuild(random: () => number, longestMs: number): Promise<void> {
  for (let edit = 0; edit < EDITS_AT_ONCE; edit++) editSnapshot(project.folder, random);
  const child = spawn(process.execPath, ['scripts/build.ts', '--json'], {
    cwd: project.folder,
    stdio: 'ignore',
    env: { ...cleanEnvironment(), SORTIMENT_OFFLINE: '1' },
  });
  await killAfter(child, 300 + random() * longestMs);
}

/** Checks that all files are complete after a kill. */
async function killAfter(child: ChildProcess, afterMs: number): Promise<void> {
  const ended = once(child, 'close');
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await ended;
  const pages = [...readSite(project)].filter(([file]) => file.endsWith('.html') && !file.startsWith('.'));
  expect(pages.filter(([, html]) => !html.trimEnd().endsWith('</html>')).map(([file]) => file)).toEqual([]);
}

// Only in a soak: other builds of this file use threads as well.
it.runIf(IS_SOAK)('makes the same site of two shards, and names the one that is missing', async () => {
  const shards = [];
  for (const shard of ['1/2', '2/2']) {
    await build(project, '--shard', shard);
    shards.push(path.join(project.folder, `shard-${shards.length + 1}`));
    renameSync(path.join(project.folder, 'dist'), shards.at(-1) ?? '');
  }
  const [first = '', second = ''] = shards;
  const missing = await project.run('build', ['merge', second]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain('Build 1/2 as well.');
  const merged = await project.run('build', ['merge', '--json', first, second]);
  expect(JSON.parse(merged.stdout)).toMatchObject({ way: 'merge' });
  expect(differencesNow()).toEqual([]);
  for (const folder of shards) rmSync(folder, { recursive: true });
});

it.runIf(IS_SOAK)('renders on several threads what it renders on one', async () => {
  removePages();
  await build(project, '--threads', '1');
  const asked = askedByRoutes();
  removePages();
  expect(await build(project, '--threads', '2')).toMatchObject({ way: 'cached bundle' });
  expect(differencesNow()).toEqual([]);
  expect(askedByRoutes()).toEqual(asked);
});

/** Returns the recorded reads of routes, by which the next build finds affected ones. */
function askedByRoutes(): unknown[] {
  const pages = new DatabaseSync(path.join(project.folder, '.sortiment/build/pages.sqlite'), { readOnly: true });
  const asked = pages
    .prepare(
      `SELECT routes.route, is_scoped, read, answer, sources FROM asked JOIN questions ON questions.id = asked.question
        JOIN routes ON routes.id = asked.route ORDER BY 1, 3`,
    )
    .all();
  pages.close();
  return asked;
}

function removePages(): void {
  for (const language of ['de-de', 'en-gb', 'fr-fr'])
    rmSync(path.join(project.folder, 'dist', language), { recursive: true });
}

/** Changes the project so that a build needs Vite. */
const changeProject = (): void => {
  const file = path.join(project.folder, 'content/strings/de.json');
  const strings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  writeFileSync(file, JSON.stringify({ ...strings, 'nav.products': 'Sortiment!' }));
};
const damageBundle = (): void => {
  const bundle = path.join(project.folder, '.sortiment/build/bundle');
  for (const file of readdirSync(bundle)) if (file.endsWith('.mjs')) writeFileSync(path.join(bundle, file), 'oops(');
};

// Three builds with Vite.
it.runIf(IS_SOAK)(
  'takes Vite when the project or the bundle are others, says so, makes up for such builds that were killed, and builds from nothing what Astro builds',
  async () => {
    const random = createSeededRandom(4711);
    const killWithVite = async (why: RegExp, longestMs: number): Promise<void> => {
      const running = project.start('build', [], { SORTIMENT_OFFLINE: '1' });
      await running.printed(why);
      await killAfter(running.process, random() * longestMs);
    };
    const strings = path.join(project.folder, 'content/strings/de.json');
    const before = readFileSync(strings);
    for (let round = 0; round < SOAK; round++) {
      changeProject();
      // Before a bundle of these sources exists.
      await killWithVite(/source, configuration or languages have changed/, 2000);
      writeFileSync(strings, before);
      // Once a bundle exists, Vite isn't needed.
      expect(await build(project)).toMatchObject({ way: expect.stringMatching(/^(vite|cached bundle)$/) });
      expect(differencesNow()).toEqual([]);
      damageBundle();
      removePages();
      expect(await build(project, '--threads', '2')).toMatchObject({
        way: 'vite',
        why: expect.stringContaining('with the cached bundle: '),
      });
      expect(differencesNow()).toEqual([]);
    }
  },
  300_000 * SOAK,
);

// Runs last: it changes the snapshot that the other tests compare.
it('leads every address that ever was to its page from the first build on, wherever names have gone', async () => {
  const given = ['15', `${IS_SOAK ? 10 * SOAK : 2}`, '4'];
  const renamed = await project.runFile('src/build/testing/build-renames.ts', given, {
    SORTIMENT_OFFLINE: '1',
  });
  expect(renamed.code, renamed.stderr).toBe(0);
  const { lost, moved } = z
    .object({ lost: z.array(z.string()), moved: z.number() })
    .parse(JSON.parse(renamed.stdout.trim().split('\n').at(-1) ?? ''));
  expect(lost).toEqual([]);
  expect(moved).toBeGreaterThan(IS_SOAK ? 20 : 2);
});
