import { productPath } from '../catalogue/paths.ts';
import type { Options } from '../config/index.ts';
import type { SnapshotReader } from '../snapshot/index.ts';
import { projectProducts } from './project-products.ts';
import { readWritings } from './read-writings.ts';
import { siteLanguages } from './site-languages.ts';

/** Path of a page -> when its content last changed, ISO: for sitemaps. Lists have no date of their own. */
export function contentDates(snapshot: SnapshotReader, options: Options): Map<string, string> {
  const languages = siteLanguages(snapshot, options).map(({ code }) => code);
  const source = { snapshot, options, languages, warn: () => undefined };
  const dates = new Map<string, string>();
  for (const { data } of projectProducts(source)) {
    dates.set(productPath(String(data['pageLanguage']), String(data['slug'])), String(data['changed']));
  }
  const { posts, pages } = readWritings(source);
  for (const { path, record } of [...posts, ...pages]) dates.set(path, record.modified);
  return dates;
}
