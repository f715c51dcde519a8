import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { gtinCheckDigit } from '#contracts/index.ts';
import { launchBrowser } from '#e2e/launch-browser.ts';
import {
  byId,
  createEpisode,
  createHead,
  createPost,
  createProduct,
  languages,
  SITE,
} from '#catalogue/testing/index.ts';
import { openTestSite, type TestSite } from '../testing/test-generators.ts';
import { createSearchTextGenerator } from './search-text.ts';

const SOURCES = path.resolve(import.meta.dirname, '../..');
const NAMES = ['Dichtband', 'Dachbahn', 'Klebeband', 'Fugenband', 'Grundierung', 'Vlies', 'Abdichtband', 'Dampfbremse'];

let site: TestSite | undefined;
afterEach(() => {
  site?.close();
  site = undefined;
});

const product = (name: string, number: number, more: Parameters<typeof createProduct>[0] = {}) => {
  const body = `952401${String(number).padStart(6, '0')}`;
  const gtin = `${body}${gtinCheckDigit(body)}`;
  return {
    language: 'de-de',
    record: createProduct({ gtin, name, item_number: `HW-${number}`, language: 'de-de', ...more }),
    position: number,
  };
};
const all = NAMES.map((name, i) => product(name, i));
const post = createPost({ id: 1, slug: 'fugenband-verarbeiten', title: 'Fugenband verarbeiten' });
const catalogue = (products: typeof all, posts = [post]) => ({
  records: { language: languages('de-de'), post: byId(...posts) },
  products,
});
const inParts = createSearchTextGenerator({ products: 2, articles: 2, episodeBytes: 8_000 });

/** Numbers of the parts that files of these belong to. */
const partsOf = (files: Iterable<string>): number[] =>
  [...new Set([...files].flatMap((file) => /^_search\/de-de\/text\/(\d+)\//.exec(file)?.[1] ?? []))]
    .map(Number)
    .toSorted((a, b) => a - b);

it('rebuilds only the part in which something has changed, and drops those that there are no more', async () => {
  site = openTestSite(catalogue(all));
  await site.update([inParts]);
  // Four of products, one of the post.
  expect(partsOf(site.files.keys())).toEqual([0, 1, 2, 3, 4]);
  expect(site.files.get('_search/de-de/text/parts.json')).toBe('{"parts":5}');
  const scripts = [...site.files.keys()].filter((file) => /pagefind\.js$|wasm\./.test(file));
  expect(partsOf(scripts)).toEqual([0]);

  site.write(catalogue(all.with(3, product('Fugenband', 3, { intro: 'Für Fugen.' }))));
  await site.update([inParts]);
  expect(partsOf(site.written)).toHaveLength(1);

  site.write(catalogue(all));
  await site.update([inParts]);
  site.write(catalogue(all, []));
  await site.update([inParts]);
  expect(partsOf(site.written)).toEqual([4]);

  site.write(catalogue(all.slice(0, 4)));
  await site.update([inParts]);
  expect(partsOf(site.files.keys())).toEqual([0, 1, 2]);
  expect(site.files.get('_search/de-de/text/parts.json')).toBe('{"parts":3}');
});

it('makes of a changed post, or one that is not to be found any more, no more than its part, once', async () => {
  const posts = Array.from({ length: 8 }, (_, i) => createPost({ id: i + 1, slug: `post-${i + 1}` }));
  const products = all.slice(0, 2);
  site = openTestSite(catalogue(products, posts));
  await site.update([inParts]);
  expect(partsOf(site.files.keys())).toEqual([0, 1, 2, 3, 4]);

  const changed = posts.with(3, createPost({ id: 4, slug: 'post-4', title: 'Anders' }));
  site.write(catalogue(products, changed));
  await site.update([inParts]);
  const [part, ...others] = partsOf(site.written);
  expect([part, others]).toEqual([expect.toSatisfy((number: number) => number > 0), []]);
  await site.update([inParts]);
  expect(partsOf(site.written)).toEqual([]);

  const head = createHead({ id: 'post/4', subject: { kind: 'post', id: 4 }, robots: ['noindex'] });
  const hidden = catalogue(products, changed);
  site.write({ ...hidden, records: { ...hidden.records, head: byId(head) } });
  await site.update([inParts]);
  expect(partsOf(site.written)).toEqual([part]);
});

const spoken = (episode: number) => `${SITE}/${episode}.vtt`;

const podcast = (titles: readonly string[], { said = 'a'.repeat(64), bytes = 0 } = {}) => ({
  ...catalogue(all.slice(0, 2)),
  records: {
    ...catalogue([]).records,
    episode: byId(
      ...titles.map((title, i) =>
        createEpisode({ id: i + 1, slug: `folge-${i + 1}`, title, transcripts: [spoken(i + 1)] }),
      ),
    ),
  },
  assets: titles.map((_, i) => ({
    url: spoken(i + 1),
    kind: 'transcript',
    digest: i === 4 ? said : 'a'.repeat(64),
    file: `aa/${'a'.repeat(62)}.vtt`,
    bytes,
  })),
});

it('has episodes in parts of their own, of which a changed one, or what is said in it, makes only its own anew', async () => {
  const titles = Array.from({ length: 8 }, (_, i) => `Folge ${i + 1}`);
  site = openTestSite(podcast(titles));
  await site.update([inParts]);
  expect(partsOf(site.files.keys())).toEqual([0, 1, 2, 3, 4, 5]);

  site.write(podcast(titles.with(4, 'Eine andere Folge')));
  await site.update([inParts]);
  const [part, ...others] = partsOf(site.written);
  expect([part, others]).toEqual([expect.toSatisfy((number: number) => number > 0), []]);

  site.write(podcast(titles.with(4, 'Eine andere Folge'), { said: 'b'.repeat(64) }));
  await site.update([inParts]);
  expect(partsOf(site.written)).toEqual([part]);
});

it.each([
  { said: 'little', bytes: 0, parts: 1 },
  { said: 'more', bytes: 96_000, parts: 2 },
  // Only the first two hours are indexed.
  { said: 'for days', bytes: 5_000_000, parts: 8 },
])('has more parts the more is said in episodes: $said', async ({ bytes, parts }) => {
  const titles = Array.from({ length: 8 }, (_, i) => `Folge ${i + 1}`);
  site = openTestSite(podcast(titles, { bytes }));
  await site.update([createSearchTextGenerator({ products: 2, articles: 2, episodeBytes: 400_000 })]);
  // Besides one of products and one of posts.
  expect(site.files.get('_search/de-de/text/parts.json')).toBe(JSON.stringify({ parts: 2 + parts }));
});

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

it('finds what is in any of the parts', async () => {
  site = openTestSite(catalogue(all));
  await site.update([inParts]);
  const server = await serve(site);
  try {
    const tab = await browser.newPage();
    await tab.goto(server.url);
    // As text: what is a module here would look for the test's own modules there.
    const search = (query: string) =>
      tab.evaluate<string[]>(`(async () => {
        const { openPagefind } = await import('/src/enhance/search/open-pagefind.ts');
        const { count, hits } = await (await openPagefind('de-de'))('${query}');
        return (await hits(0, count)).map(({ meta }) => meta.title);
      })()`);
    for (const name of NAMES) expect(await search(name), name).toContain(name);
    expect((await search('Fugenband')).slice(0, 2).toSorted()).toEqual(['Fugenband', 'Fugenband verarbeiten']);
    expect(await search('Mauerwerk')).toEqual([]);
  } finally {
    server.close();
  }
});

it.each([0, 1])('can be opened again when the head of part %i could not be had', async (part) => {
  site = openTestSite(catalogue(all));
  await site.update([inParts]);
  const server = await serve(site, [`_search/de-de/text/${part}/pagefind-entry.json`]);
  try {
    const tab = await browser.newPage();
    await tab.goto(server.url);
    const search = () =>
      tab.evaluate<string>(`(async () => {
        const { openPagefind } = await import('/src/enhance/search/open-pagefind.ts');
        const opened = openPagefind('de-de').then((find) => find('Klebeband'));
        const { count } = await opened.catch(() => ({ count: 'failed' }));
        return String(count);
      })()`);
    expect(await search()).toBe('failed');
    expect(await search()).toBe('1');
  } finally {
    server.close();
  }
});

/** The site, the sources of its scripts, and an empty page. @param failing Files that are not given the first time. */
async function serve({ bytesOf }: TestSite, failing: string[] = []): Promise<{ url: string; close(): Server }> {
  const server = createServer((request, answer) => {
    const file = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1);
    const fails = failing.indexOf(file);
    if (fails >= 0) {
      failing.splice(fails, 1);
      return answer.writeHead(503).end();
    }
    if (file === '') return answer.setHeader('content-type', 'text/html').end('<!doctype html><html lang="de-DE">');
    if (/\.(ts|js)$/.test(file)) answer.setHeader('content-type', 'text/javascript');
    if (file.startsWith('src/')) {
      const source = stripTypeScriptTypes(readFileSync(path.join(SOURCES, file.slice(4)), 'utf8'));
      return answer.end(source.replaceAll(`from '#`, `from '/src/`));
    }
    return answer.writeHead(bytesOf(file) ? 200 : 404).end(bytesOf(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens on a port.');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
