import { productPath } from '../catalogue/paths.ts';
import type { Options } from '../config/index.ts';
import type { SnapshotReader } from '../snapshot/index.ts';
import type { CollectionEntries } from './build-host.ts';
import { listedEntry } from './entries.ts';
import { projectProducts } from './project-products.ts';
import { readWritings } from './read-writings.ts';
import { siteLanguages } from './site-languages.ts';

const dated = listedEntry.pick({ pageLanguage: true, slug: true, changed: true });

/**
 * Path of a page -> when its content last changed, ISO: for sitemaps. Lists have no date of their own.
 * @param listed Entries of the collection `products`, where they have been read already.
 */
export function contentDates(
  snapshot: SnapshotReader,
  options: Options,
  listed?: CollectionEntries,
): Map<string, string> {
  const languages = siteLanguages(snapshot, options).map(({ code }) => code);
  const source = { snapshot, options, languages, warn: () => undefined };
  const dates = new Map<string, string>();
  for (const { data } of listed ?? projectProducts(source)) {
    const { pageLanguage, slug, changed } = dated.parse(data);
    dates.set(productPath(pageLanguage, slug), changed.toISOString());
  }
  const { posts, pages } = readWritings(source);
  for (const { path, record } of [...posts, ...pages]) dates.set(path, record.modified);
  return dates;
}
