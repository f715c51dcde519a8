import type { Settings } from '#config/index.ts';
import { ADDRESS_SETTING, isHiddenFromSearch, hasForeignCanonical, SEARCH_SETTING } from '#contracts/synced/index.ts';
import { SITE_PREFIX } from '#model/head-entry.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { listPagesWithHeads, projectHeads } from '#projection/project-heads.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** A language whose publishing pages are mostly hidden from search engines. */
export interface HiddenLanguage {
  language: string;
  /** `noindex`, or a canonical URL on another host. */
  cause: 'noindex' | 'canonical';
  hidden: number;
  pages: number;
  isHomeHidden: boolean;
  /** Continues the sentence "Pages in <language> …". */
  problem: string;
  advice: string;
}

const CAUSES = {
  noindex: { problem: 'are kept from search engines (noindex)', advice: SEARCH_SETTING },
  canonical: { problem: 'name another host as their address (canonical)', advice: ADDRESS_SETTING },
} as const;

/** Up to this many hidden pages may be an editor's choice. */
const MAX_BY_EDITOR = 3;

/** Finds languages in which the home page, or most pages of the publishing site, are hidden from search engines. */
export function findHiddenLanguages(
  { options }: Pick<Settings, 'options'>,
  snapshot: SnapshotReader,
): HiddenLanguage[] {
  const host = URL.parse(snapshot.site()?.url ?? '')?.host ?? '';
  const isVisible = [...snapshot.records('head')].every(
    (head) => !isHiddenFromSearch(head) && !hasForeignCanonical(head, [host]),
  );
  // Skips the costly listing of all pages.
  if (isVisible) return [];
  const source = { snapshot, options, languages: languageCodes(snapshot, options), warn: () => undefined };
  const heads = new Map([...projectHeads(source)].map(({ id, data }) => [id, data]));
  const isHidden = {
    noindex: (path: string) => isHiddenFromSearch({ robots: heads.get(path)?.robots ?? [] }),
    canonical: (path: string) => {
      const { canonical } = heads.get(path) ?? {};
      return canonical !== undefined && !canonical.startsWith(SITE_PREFIX);
    },
  };
  const byLanguage = Map.groupBy(listPagesWithHeads(source), ({ language }) => language);
  return [...byLanguage].flatMap(([language, found]) =>
    (['noindex', 'canonical'] as const).flatMap((cause): HiddenLanguage[] => {
      const hidden = found.filter(({ path }) => isHidden[cause](path));
      const isHomeHidden = hidden.some(({ id }) => id === 'home/0');
      const areMost = hidden.length > MAX_BY_EDITOR && hidden.length * 2 > found.length;
      if (!isHomeHidden && !areMost) return [];
      const counts = { hidden: hidden.length, pages: found.length };
      return [{ language, cause, ...counts, isHomeHidden, ...CAUSES[cause] }];
    }),
  );
}

/** Counts the hidden pages as the subject of a sentence: `118 of 120 pages (the home page too)`. */
export function formatHiddenCount({ hidden, pages, isHomeHidden }: HiddenLanguage): string {
  return `${hidden} of ${pages} pages${isHomeHidden ? ' (the home page too)' : ''}`;
}

/** Returns the languages of the publishing site's pages by the IDs of their heads. */
export function pageLanguages(
  { options }: Pick<Settings, 'options'>,
  snapshot: SnapshotReader,
): ReadonlyMap<string, readonly string[]> {
  const source = { snapshot, options, languages: languageCodes(snapshot, options), warn: () => undefined };
  const byId = Map.groupBy(listPagesWithHeads(source), ({ id }) => id);
  return new Map([...byId].map(([id, found]) => [id, found.map(({ language }) => language)]));
}
