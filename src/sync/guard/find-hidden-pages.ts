import { isHiddenFromSearch, hasForeignCanonical, SUBJECT_KINDS, type HeadRecord } from '#contracts/synced/index.ts';
import type { SnapshotReader, Staging } from '#snapshot/index.ts';
import { massChange, type MassChange } from './guard-run.ts';

/** Id of a head -> languages with a page on this site. */
export type PageLanguages = ReadonlyMap<string, readonly string[]>;

export interface HiddenPagesInput {
  snapshot: SnapshotReader;
  staging: Pick<Staging, 'changedRecords'>;
  /** Hosts of the publishing site and of this site. */
  ownHosts: readonly string[];
  /** Maximum share of pages that may be hidden at once. */
  share: number;
  /**
   * Languages of the pages of a snapshot.
   * @default pages are only counted together
   */
  languagesOf?: ((snapshot: SnapshotReader) => PageLanguages) | undefined;
}

const HOME = 'home/0';

/**
 * Detects changes that hide the home page or most pages from search engines, or give them a canonical address on
 * another host. Pages are counted overall and per language. Such changes come from a setting of the publishing site,
 * not from an editor.
 */
export function findHiddenPages({ snapshot, staging, ownHosts, share, languagesOf }: HiddenPagesInput): MassChange[] {
  if (share >= 1 || snapshot.digest() === undefined) return [];
  const changed = [...staging.changedRecords('head')] as HeadRecord[];
  const causes = [
    { what: 'would be hidden from search engines', heads: changed.filter(isHiddenFromSearch) },
    {
      what: 'would get a canonical address on another site',
      heads: changed.filter((head) => hasForeignCanonical(head, ownHosts)),
    },
  ];
  // Most runs hide nothing, and reading all records is slow.
  if (causes.every(({ heads }) => heads.length === 0)) return [];
  const visiblePages = findVisiblePages(snapshot, ownHosts);
  const languages = languagesOf?.(snapshot);
  return causes.flatMap(({ what, heads }) => {
    const hidden = heads.filter(({ id }) => visiblePages.has(id));
    return evaluate(hidden, { what, visiblePages, share, languages });
  });
}

/** Ids of the heads of stored pages that search engines may list, including pages without a head. */
function findVisiblePages(snapshot: SnapshotReader, ownHosts: readonly string[]): Set<string> {
  const visiblePages = new Set(snapshot.site() ? [HOME] : []);
  for (const kind of SUBJECT_KINDS)
    for (const record of snapshot.records(kind))
      visiblePages.add(`${kind}/${'page' in record ? record.page : record.id}`);
  for (const head of snapshot.records('head'))
    if (isHiddenFromSearch(head) || hasForeignCanonical(head, ownHosts)) visiblePages.delete(head.id);
  return visiblePages;
}

function evaluate(
  hidden: readonly HeadRecord[],
  {
    what,
    visiblePages,
    share,
    languages,
  }: { what: string; visiblePages: ReadonlySet<string>; share: number; languages: PageLanguages | undefined },
): MassChange[] {
  const check = (isIn: (id: string) => boolean, name: string): MassChange[] => {
    const found = list(hidden.filter(({ id }) => isIn(id)));
    return massChange(found, [...visiblePages].filter(isIn).length, share, `pages ${name} ${what}`);
  };
  const home = hidden.filter(({ id }) => id === HOME);
  const homeChange = home.length > 0 ? [{ what: `The home page ${what}`, records: list(home) }] : [];
  const overall = check(() => true, 'of the publishing site');
  if (overall.length > 0) return [...homeChange, ...overall];
  const codes = new Set([...(languages?.values() ?? [])].flat());
  const byLanguage = [...codes]
    .toSorted()
    .flatMap((language) => check((id) => languages?.get(id)?.includes(language) ?? false, `in ${language}`));
  return [...homeChange, ...byLanguage];
}

function list(pages: readonly HeadRecord[]): string[] {
  return pages.map(({ id, url }) => `${id} ${url}`);
}
