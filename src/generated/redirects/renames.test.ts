import { openProductIndex } from '#catalogue/read-model/product-index.ts';
import type { PageRecord, PostRecord } from '#contracts/synced/index.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { archivePath, familyPath, journalPath, productPath, productsPath } from '#catalogue/addresses/paths.ts';
import { defineConfig } from '#config/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { openSnapshot, type Snapshot } from '#snapshot/index.ts';
import { fillSnapshot } from '#snapshot/testing/fill-snapshot.ts';
import { addressSlug } from '#catalogue/read-model/content-paths.ts';
import { createPage, createPost, createProduct, createTerm } from '#catalogue/testing/write-snapshot.ts';
import { updateProductIndex } from '#catalogue/read-model/update-product-index.ts';
import { readArticles } from '#catalogue/read-model/articles.ts';
import type { LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import { findRedirects } from './redirects.ts';

// Some hundred small catalogues are written to the disk.
vi.setConfig({ testTimeout: 300_000 });

const options = defineConfig({
  site: { name: 'Haldenwerk' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Prüfstand 1'], email: 'info@haldenwerk.example' },
  mainLanguage: 'de-de',
});
const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];
const GTINS = ['9524010000016', '9524010000023', '9524010000030'];
const IDS = [1, 2, 3];
const NAMES = ['alpha', 'beta', 'gamma', 'delta'];
const FAMILIES = ['tapes', 'foils', 'boards'];

/** Everything that addresses are made of. A product without a name in a language has no text in it. */
interface State {
  names: Map<string, string>;
  listed: Set<string>;
  families: Map<string, string>;
  posts: Map<number, string>;
  pages: Map<number, { slug: string; parent: number | undefined }>;
  terms: Map<number, string>;
  categoryOf: Map<number, number>;
}

const start = (): State => ({
  names: new Map(GTINS.flatMap((gtin) => LANGUAGES.slice(0, 2).map((code) => [`${gtin}/${code}`, `${code} first`]))),
  listed: new Set(GTINS),
  families: new Map(GTINS.map((gtin) => [gtin, 'tapes'])),
  posts: new Map(IDS.map((id) => [id, `post-${id}`])),
  pages: new Map(IDS.map((id) => [id, { slug: `page-${id}`, parent: undefined }])),
  terms: new Map(IDS.map((id) => [10 + id, `term-${id}`])),
  categoryOf: new Map(IDS.map((id) => [id, 11])),
});

type Step = (state: State) => void;
const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);

/** Changes between two builds: names are set, swapped, reused and restored, records are added and removed. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(oneOf(...GTINS), oneOf(...LANGUAGES), oneOf(...NAMES)).map(
    ([gtin, code, name]): Step =>
      ({ names }) =>
        void names.set(`${gtin}/${code}`, name),
  ),
  fc.tuple(oneOf(...GTINS), oneOf(...LANGUAGES)).map(([gtin, code]): Step => ({ names }) => {
    const others = LANGUAGES.filter((other) => other !== code && names.has(`${gtin}/${other}`));
    if (others.length > 0) names.delete(`${gtin}/${code}`);
  }),
  oneOf(...GTINS).map(
    (gtin): Step =>
      ({ listed }) =>
        void (listed.delete(gtin) || listed.add(gtin)),
  ),
  fc.tuple(oneOf(...GTINS), oneOf(...FAMILIES)).map(
    ([gtin, family]): Step =>
      ({ families }) =>
        void families.set(gtin, family),
  ),
  // A family that is called something else, with all its products.
  fc.tuple(oneOf(...FAMILIES), oneOf(...FAMILIES)).map(([from, to]): Step => ({ families }) => {
    for (const [gtin, family] of families) if (family === from) families.set(gtin, to);
  }),
  fc.tuple(oneOf(...IDS), oneOf(...NAMES)).map(([id, slug]): Step => ({ posts }) => {
    if (![...posts].some(([other, taken]) => other !== id && taken === slug)) posts.set(id, slug);
  }),
  fc.tuple(oneOf(...IDS), oneOf(...IDS)).map(([a, b]): Step => ({ posts }) => {
    const [first, second] = [posts.get(a), posts.get(b)];
    if (first && second) posts.set(a, second).set(b, first);
  }),
  oneOf(...IDS).map(
    (id): Step =>
      ({ posts }) =>
        void posts.delete(id),
  ),
  fc
    .tuple(oneOf(...IDS), oneOf(...NAMES), fc.option(oneOf(...IDS), { nil: undefined }))
    .map(([id, slug, parent]): Step => ({ pages }) => {
      const above = parent !== undefined && parent < id ? parent : undefined;
      if (![...pages].some(([other, page]) => other !== id && page.slug === slug))
        pages.set(id, { slug, parent: above });
    }),
  fc.tuple(oneOf(...IDS), oneOf(...NAMES)).map(([id, slug]): Step => ({ terms }) => {
    if (![...terms.values()].includes(slug)) terms.set(10 + id, slug);
  }),
  fc.tuple(oneOf(...IDS), oneOf(...IDS)).map(
    ([id, term]): Step =>
      ({ categoryOf }) =>
        void categoryOf.set(id, 10 + term),
  ),
);

function commit(snapshot: Snapshot, state: State, at: Date): void {
  const products = [...state.names].toSorted().flatMap(([place, name]): ProductRecord[] => {
    const [gtin = '', language = ''] = place.split('/');
    return state.listed.has(gtin) ? [createProduct({ gtin, language, name })] : [];
  });
  const families = new Set(state.families.values());
  const posts = [...state.posts].map(([id, slug]): [string, PostRecord] => [
    `${id}`,
    createPost({ id, slug, categories: [state.categoryOf.get(id) ?? 11] }),
  ]);
  const pages = [...state.pages].map(([id, page]): [string, PageRecord] => [`${id}`, createPage({ id, ...page })]);
  const terms = [...state.terms].map(
    ([id, slug]) => [`${id}`, createTerm({ id, slug, taxonomy: 'category' })] as const,
  );
  fillSnapshot(snapshot, {
    products,
    familyOf: (gtin) => state.families.get(gtin),
    records: {
      language: Object.fromEntries(LANGUAGES.map((code) => [code, { code, name: code }])),
      family: Object.fromEntries([...families].map((id) => [id, { id, names: { de: id }, descriptions: {} }])),
      post: Object.fromEntries(posts),
      page: Object.fromEntries(pages),
      category: Object.fromEntries(terms),
    },
    at,
  });
}

/** Every address that is made of names, and what stands there. */
function addressesOf(source: LoaderSource, productIndex: ReturnType<typeof openProductIndex>): Map<string, string> {
  const { posts, pages, terms } = readArticles(source);
  return new Map([
    ...productIndex.index().map(({ data }): [string, string] => [productPath(data.pageLanguage, data.slug), data.gtin]),
    ...posts.map(({ path: at, record }): [string, string] => [at, `post ${record.id}`]),
    ...pages.map(({ path: at, record }): [string, string] => [at, `page ${record.id}`]),
    ...posts.flatMap(({ language, record }) =>
      terms
        .termsOf(record.categories)
        .map((term): [string, string] => [archivePath(language, 'category', addressSlug(term)), `term ${term.id}`]),
    ),
    ...LANGUAGES.flatMap((code) => [
      ...productIndex
        .productGroups(code)
        .map(({ productGroup }): [string, string] => [familyPath(code, productGroup), 'family']),
      [productsPath(code), 'list'] as [string, string],
      [journalPath(code), 'list'] as [string, string],
    ]),
  ]);
}

it('leads every address that ever was to where its page is now, in one step, from the snapshot alone', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 10 }), (builds) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-renames-'));
      const file = path.join(folder, 'snapshot.sqlite');
      const productIndexFile = path.join(folder, 'product-index.sqlite');
      const state = start();
      const ever = new Map<string, string>();
      try {
        for (const [day, steps] of [[], ...builds].entries()) {
          for (const change of steps) change(state);
          const writable = openSnapshot(file);
          commit(writable, state, new Date(Date.UTC(2026, 10, 1 + day)));
          writable.close();
          updateProductIndex(productIndexFile, file, options);
          const snapshot = openSnapshot(file, { readOnly: true });
          const productIndex = openProductIndex(productIndexFile);
          const source = { snapshot, options, languages: LANGUAGES, warn: () => undefined };
          const now = addressesOf(source, productIndex);
          const redirects = new Map(
            findRedirects(source, productIndex, (pathname) => now.has(pathname)).map(({ from, to }) => [from, to]),
          );
          productIndex.close();
          snapshot.close();
          for (const [address, what] of now) ever.set(address, what);
          const isGone = (what: string) => /^(post|page|term) /.test(what) && ![...now.values()].includes(what);
          for (const [address, what] of ever) {
            const found = now.get(address) ?? now.get(redirects.get(address) ?? '');
            if (isGone(what)) continue;
            expect(found, `${address} of ${what} on day ${day}`).toBeDefined();
            if (!now.has(address) && /^(post|page|term|\d)/.test(what)) expect(found, address).toBe(what);
          }
          for (const [from, to] of redirects) expect([now.has(from), now.has(to)], from).toEqual([false, true]);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
    { seed: 15, numRuns: 15, endOnFailure: true },
  );
});
