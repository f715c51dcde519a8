import { hash } from 'node:crypto';
import { familyPagePaths, type FamilyPage } from './family-pages.ts';
import { footerPages } from './footer-pages.ts';
import { journalPages } from './journal-pages.ts';
import { rankAttributes } from './key-values.ts';
import type { Site } from './load-site.ts';
import { navigation } from './navigation.ts';
import type { PageOfList } from './page-list.ts';
import { pageFamily, type PublishedPage } from './page-family.ts';
import { productView } from './product-view.ts';
import type { PostEntry, ListedEntry } from '../loaders/entries.ts';

/**
 * Keys of pages, for `cacheKey`: a page whose key is that of the last build shows what it showed, and is not rendered
 * again. A key covers everything of the content that its page shows. What the project itself brings (templates,
 * strings, configuration) is no part of it: when any of that changes, every page is rendered.
 */

export function productKey(site: Site, product: ListedEntry): string {
  const { family, related, successor } = productView(site, product);
  const digests = [product, ...related].map(site.digestOf);
  return keyOf(frameKey(site, product.pageLanguage), family, digests, successor && site.digestOf(successor));
}

export function familyPageKey(site: Site, language: string, { family, products, page }: FamilyPage): string {
  return keyOf(
    frameKey(site, language),
    family,
    [page.number, page.total, products.length],
    Object.keys(familyPagePaths(site, family.id, page.number)),
    // Which values a row shows depends on the whole family.
    page.items.map((product) => [site.digestOf(product), rankAttributes(product, products)]),
  );
}

/** @param shown The post, and those that are teased below it. */
export function postKey(site: Site, language: string, shown: readonly PostEntry[]): string {
  return keyOf(frameKey(site, language), shown.map(site.digestOf));
}

export function journalPageKey(site: Site, language: string, { items, number, total }: PageOfList<PostEntry>): string {
  const lengths = site.languages.map(({ code }) => journalPages(site, code).length >= number);
  return keyOf(frameKey(site, language), [number, total], lengths, items.map(site.digestOf));
}

export function publishedPageKey(site: Site, page: PublishedPage): string {
  const { above, around } = pageFamily(site, page);
  return keyOf(frameKey(site, page.language), [page, ...above].map(site.digestOf), around.map(site.digestOf));
}

const frames = new WeakMap<Site, Map<string, string>>();

/** What stands around every page of a language: header, footer, choice of languages. */
function frameKey(site: Site, language: string): string {
  const known = frames.get(site) ?? new Map<string, string>();
  frames.set(site, known);
  const key =
    known.get(language) ??
    keyOf(
      site.languages,
      site.mainLanguage,
      site.languages.map(({ code }) => site.posts(code).length > 0),
      navigation(site, language, '', { products: '', journal: '' }),
      footerPages(site, language).map(({ entry, path, language: of }) => [entry.data, path, of]),
      site.snapshot?.stale,
    );
  known.set(language, key);
  return key;
}

function keyOf(...parts: readonly unknown[]): string {
  return hash('sha1', JSON.stringify(parts), 'base64url');
}
