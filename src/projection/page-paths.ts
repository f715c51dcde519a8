import type { PageRecord } from '#contracts/synced/index.ts';
import { isReservedPath, pagePath } from '#catalogue/addresses/paths.ts';
import type { Stored } from '#snapshot/index.ts';
import { addressSlug } from './address-slug.ts';
import { findLanguage } from './find-language.ts';
import { stripLanguagePrefix } from './strip-language-prefix.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { SiteEntry } from './post-paths.ts';

export interface SitePage extends SiteEntry<Stored<PageRecord>> {
  /** Slugs from the root to the page. */
  slugPath: string;
  /** Entry ids of the ancestors, from the root. */
  ancestors: string[];
}

/**
 * Assigns each page its language and address. If no rule matches, a page has the language of its parent. Pages in
 * languages that aren't built and pages with reserved addresses are omitted.
 */
export function resolvePagePaths(source: LoaderSource): SitePage[] {
  const records = new Map([...source.snapshot.records('page')].map((record) => [record.id, record]));
  const placed = new Map<number, SitePage | undefined>();
  const children = Map.groupBy(records.values(), ({ parent }) => parent);
  const place = (record: Stored<PageRecord>, ancestorIds: readonly number[] = []): SitePage | undefined => {
    if (placed.has(record.id)) return placed.get(record.id);
    const parent =
      record.parent === undefined || ancestorIds.includes(record.parent) ? undefined : records.get(record.parent);
    const parentPage = parent && place(parent, [...ancestorIds, record.id]);
    const page = placePage(source, record, { parentPage, children: children.get(record.id) ?? [] });
    placed.set(record.id, page);
    return page;
  };
  const pages = [...records.values()].flatMap((record) => place(record) ?? []);
  return withUniquePaths(pages, source.warn);
}

function placePage(
  { options, languages, warn }: LoaderSource,
  record: Stored<PageRecord>,
  { parentPage, children }: { parentPage: SitePage | undefined; children: readonly PageRecord[] },
): SitePage | undefined {
  const rules = options.publishing.language;
  const evidence = { slug: record.slug, categories: [], tags: [] };
  const language = findLanguage(evidence, rules) ?? parentPage?.language ?? options.mainLanguage;
  if (!languages.includes(language)) return undefined;
  const slug = stripLanguagePrefix(addressSlug(record), language, rules);
  const parent = parentPage?.language === language ? parentPage : undefined;
  const slugPath = parent ? `${parent.slugPath}/${slug}` : slug;
  if (isReservedPath(slugPath)) {
    warn(
      `The page "${record.title}" is skipped: ${pagePath(language, slugPath)} is reserved for the catalogue. ${describeChildren(children)}Change its slug.`,
    );
    return undefined;
  }
  return {
    record,
    language,
    slug,
    slugPath,
    entryId: `${language}/${slugPath}`,
    path: pagePath(language, slugPath),
    ancestors: parent ? [...parent.ancestors, parent.entryId] : [],
  };
}

/** Describes the effect on the children of a skipped page. */
function describeChildren(children: readonly PageRecord[]): string {
  if (children.length === 0) return '';
  const names = children.map(({ title }) => `"${title}"`).join(', ');
  return `Its child pages (${names}) move to the top level and get other addresses. `;
}

/** The page with the lower id keeps the address. */
function withUniquePaths(pages: readonly SitePage[], warn: (message: string) => void): SitePage[] {
  const owners = new Map<string, SitePage>();
  for (const page of pages) {
    // Some file systems are case-insensitive.
    const place = page.entryId.toLowerCase();
    const owner = owners.get(place);
    if (!owner) owners.set(place, page);
    else
      warn(
        `The page "${page.record.title}" is skipped: "${owner.record.title}" already uses the address ${page.path}.`,
      );
  }
  return [...owners.values()];
}
