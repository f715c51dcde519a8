import type { PublicChange } from '../entries/entries.ts';
import { isHidden } from '../seo/head.ts';
import { loadSite } from '../site/load-site.ts';
import { readCollection } from '../site/read-collection.ts';
import { type ChangeRun, withoutEmptyRuns } from './change-feed.ts';

/** Returns the last runs that changed the catalogue, newest first. Changes of pages with `noindex` are omitted. */
export async function loadChanges(): Promise<ChangeRun[]> {
  const [entries, site] = [await readCollection('changes'), await loadSite()];
  const isShown = ({ gtin, language = '', path }: PublicChange) =>
    gtin === undefined
      ? path === undefined || !isHidden(site, path)
      : site.additions(language, gtin).seo?.noindex !== true;
  return withoutEmptyRuns(
    entries
      .map(({ id, data }) => ({ id, ...data, changes: data.changes.filter(isShown) }))
      .toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1)),
  );
}
