import { openProductIndex } from '#catalogue/read-model/product-index.ts';
import type { PageRecord, PostRecord } from '#contracts/synced/index.ts';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineConfig } from '#config/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import {
  byId,
  createPage,
  createPost,
  createProduct,
  languages,
  writeSnapshot,
  type SnapshotContent,
} from '#catalogue/testing/write-snapshot.ts';
import { updateProductIndex } from '#catalogue/read-model/update-product-index.ts';
import { findRedirects, resolveRedirects } from './redirects.ts';

const options = defineConfig({
  site: { name: 'Haldenwerk' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Prüfstand 1'], email: 'info@haldenwerk.example' },
  mainLanguage: 'de-de',
  publishing: { language: [{ by: 'slug-prefix', prefixes: { 'en-': 'en-gb' } }] },
});
const codes = ['de-de', 'en-gb'];
const gtin = '9524010000016';

interface Past {
  names?: [language: string, name: string][];
  places?: [kind: 'post' | 'page', id: number, slug: string, parent?: number][];
}

const posts = (...rows: PostRecord[]) => ({ records: { post: byId(...rows) } });
const pages = (...rows: PageRecord[]) => ({ records: { page: byId(...rows) } });

const onResult = (...pairs: [string, string][]) =>
  resolveRedirects(
    pairs.map(([from, to]) => ({ from, to })),
    (pathname) => pathname === '/page/',
  ).map(({ from, to }) => `${from} -> ${to}`);

/** Redirects as `from -> to`. */
function redirectsOf(content: SnapshotContent, past: Past, pages: readonly string[] = []): string[] {
  const folder = writeSnapshot({ ...content, records: { language: languages(...codes), ...content.records } });
  const file = path.join(folder, '.sortiment/snapshot.sqlite');
  const writable = openSnapshot(file);
  const name = writable.database.prepare('INSERT INTO past_names VALUES (?, ?, ?, ?)');
  for (const [language, text] of past.names ?? []) name.run(gtin, language, text, '2026-11-20');
  const place = writable.database.prepare('INSERT INTO past_places VALUES (?, ?, ?, ?, ?)');
  for (const [kind, id, slug, parent = 0] of past.places ?? []) place.run(kind, String(id), slug, parent, '2026-11-20');
  writable.close();
  const productIndexFile = path.join(folder, 'product-index.sqlite');
  updateProductIndex(productIndexFile, file, options);
  const snapshot = openSnapshot(file, { readOnly: true });
  const productIndex = openProductIndex(productIndexFile);
  try {
    const source = { snapshot, options, languages: codes, warn: () => undefined };
    const found = findRedirects(source, productIndex, (pathname) => pages.includes(pathname));
    return found.map(({ from, to }) => `${from} -> ${to}`);
  } finally {
    productIndex.close();
    snapshot.close();
  }
}

describe('a product that was renamed', () => {
  const german = { language: 'de-de', record: createProduct({ name: 'Neu' }) };
  const english = { language: 'en-gb', record: createProduct({ name: 'New', language: 'en-gb' }) };

  it('is found under each name that it had, in one step', () => {
    expect(
      redirectsOf(
        { products: [german] },
        {
          names: [
            ['de-de', 'Alt'],
            ['de-de', 'Älter'],
          ],
        },
      ),
    ).toEqual([
      `/de-de/p/aelter-${gtin}/ -> /de-de/p/neu-${gtin}/`,
      `/de-de/p/alt-${gtin}/ -> /de-de/p/neu-${gtin}/`,
      `/en-gb/p/aelter-${gtin}/ -> /en-gb/p/neu-${gtin}/`,
      `/en-gb/p/alt-${gtin}/ -> /en-gb/p/neu-${gtin}/`,
    ]);
  });

  it('leads on in the language in which it was renamed', () => {
    expect(redirectsOf({ products: [german, english] }, { names: [['en-gb', 'Old']] })).toEqual([
      `/en-gb/p/old-${gtin}/ -> /en-gb/p/new-${gtin}/`,
    ]);
  });

  it('needs nothing when it has its name again, or one that is written the same way in addresses', () => {
    expect(
      redirectsOf(
        { products: [german] },
        {
          names: [
            ['de-de', 'Neu'],
            ['de-de', 'NEU!'],
          ],
        },
      ),
    ).toEqual([]);
  });
});

describe('posts and pages that have moved', () => {
  it('are found under their earlier slugs, without the prefix of their language', () => {
    const moved = redirectsOf(posts(createPost({ id: 1, slug: 'en-new' })), { places: [['post', 1, 'en-old']] });
    expect(moved).toEqual(['/en-gb/journal/old/ -> /en-gb/journal/new/']);
  });

  it('leave an address alone at which something else stands now', () => {
    const content = posts(createPost({ id: 1, slug: 'new' }), createPost({ id: 2, slug: 'old' }));
    expect(redirectsOf(content, { places: [['post', 1, 'old']] }, ['/de-de/journal/old/'])).toEqual([]);
  });

  it('move with the page above them', () => {
    const content = pages(createPage({ id: 1, slug: 'company' }), createPage({ id: 2, slug: 'jobs', parent: 1 }));
    expect(
      redirectsOf(content, {
        places: [
          ['page', 1, 'about'],
          ['page', 2, 'careers', 1],
          ['page', 2, 'careers'],
        ],
      }),
    ).toEqual([
      '/de-de/about/ -> /de-de/company/',
      '/de-de/about/careers/ -> /de-de/company/jobs/',
      '/de-de/about/jobs/ -> /de-de/company/jobs/',
      '/de-de/careers/ -> /de-de/company/jobs/',
      '/de-de/company/careers/ -> /de-de/company/jobs/',
    ]);
  });
});

describe('redirects', () => {
  it('lead to the end of a chain at once', () => {
    expect(onResult(['/a/', '/b/'], ['/b/', '/c/'], ['/c/', '/page/'])).toEqual([
      '/a/ -> /page/',
      '/b/ -> /page/',
      '/c/ -> /page/',
    ]);
  });

  it('never go round, nor away from a page', () => {
    expect(onResult(['/a/', '/b/'], ['/b/', '/a/'], ['/page/', '/elsewhere/'], ['/d/', '/d/'])).toEqual([]);
  });
});
