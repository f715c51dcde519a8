import { isKeptFromSearch, leadsElsewhere, SUBJECT_KINDS, type HeadRecord } from '#contracts/synced/index.ts';
import type { SnapshotReader, Staging } from '#snapshot/index.ts';
import { allowance } from './allowance.ts';
import type { MassChange } from './mass-change.ts';

/** Id of a head -> languages in which this site has a page for it. */
export type PageLanguages = ReadonlyMap<string, readonly string[]>;

export interface HiddenPagesInput {
  snapshot: SnapshotReader;
  staging: Pick<Staging, 'changedRecords'>;
  /** Hosts of the publishing site, and of this site. */
  ownHosts: readonly string[];
  /** Largest share of pages that may be hidden at once. */
  share: number;
  /** Languages of the pages of a snapshot. @default pages are counted together only */
  languagesOf?: ((snapshot: SnapshotReader) => PageLanguages) | undefined;
}

interface HiddenPage {
  id: string;
  url: string;
}

const HOME = 'home/0';

/**
 * Finds out whether the home page, or most pages overall or in one language, that search engines could list until now
 * would be kept from them, or would name another host as their own address. Such changes come from a setting of the
 * publishing site, not from an editor.
 */
export function findHiddenPages({ snapshot, staging, ownHosts, share, languagesOf }: HiddenPagesInput): MassChange[] {
  if (share >= 1 || snapshot.digest() === undefined) return [];
  const changed = [...staging.changedRecords('head')] as HeadRecord[];
  const causes = [
    { what: 'would be kept from search engines', heads: changed.filter(isKeptFromSearch) },
    {
      what: 'would name another site as their address',
      heads: changed.filter((head) => leadsElsewhere(head, ownHosts)),
    },
  ];
  // Most runs hide nothing, and to read all records takes its time.
  if (causes.every(({ heads }) => heads.length === 0)) return [];
  const shown = shownPages(snapshot, ownHosts);
  const languages = languagesOf?.(snapshot);
  return causes.flatMap(({ what, heads }) =>
    evaluate(
      heads.filter(({ id }) => shown.has(id)),
      { what, shown, share, languages },
    ),
  );
}

/** Ids of the heads of stored pages that search engines may list, also of those without a head. */
function shownPages(snapshot: SnapshotReader, ownHosts: readonly string[]): Set<string> {
  const shown = new Set(snapshot.site() ? [HOME] : []);
  for (const kind of SUBJECT_KINDS)
    for (const record of snapshot.records(kind)) shown.add(`${kind}/${'page' in record ? record.page : record.id}`);
  for (const head of snapshot.records('head'))
    if (isKeptFromSearch(head) || leadsElsewhere(head, ownHosts)) shown.delete(head.id);
  return shown;
}

interface EvaluateOptions {
  what: string;
  shown: ReadonlySet<string>;
  share: number;
  languages: PageLanguages | undefined;
}

function evaluate(hidden: readonly HiddenPage[], { what, shown, share, languages }: EvaluateOptions): MassChange[] {
  const massChange = (isIn: (id: string) => boolean, name: string): MassChange[] => {
    const found = hidden.filter(({ id }) => isIn(id));
    const known = [...shown].filter(isIn).length;
    const allowed = allowance(known, share);
    if (found.length <= allowed) return [];
    return [{ what: `${found.length} of ${known} pages ${name} ${what} (at most ${allowed})`, records: list(found) }];
  };
  const home = hidden.filter(({ id }) => id === HOME);
  const ofHome = home.length > 0 ? [{ what: `The home page ${what}`, records: list(home) }] : [];
  const overall = massChange(() => true, 'of the publishing site');
  if (overall.length > 0) return [...ofHome, ...overall];
  const codes = new Set([...(languages?.values() ?? [])].flat());
  const byLanguage = [...codes]
    .toSorted()
    .flatMap((language) => massChange((id) => languages?.get(id)?.includes(language) ?? false, `in ${language}`));
  return [...ofHome, ...byLanguage];
}

function list(pages: readonly HiddenPage[]): string[] {
  return pages.map(({ id, url }) => `${id} ${url}`);
}
