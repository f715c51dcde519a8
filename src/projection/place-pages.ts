import type { PageRecord } from '#contracts/synced/index.ts';
import { isReservedPath, pagePath } from '#catalogue/addresses/paths.ts';
import type { Stored } from '#snapshot/index.ts';
import { addressSlug } from './address-slug.ts';
import { findLanguage } from './find-language.ts';
import { stripLanguagePrefix } from './strip-language-prefix.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { Placed } from './place-posts.ts';

export interface PlacedPage extends Placed<Stored<PageRecord>> {
  /** Slugs from the top. */
  slugPath: string;
  /** Ids of the entries above, from the top. */
  ancestors: string[];
}

/**
 * Gives every page its language and address. A page without a sign of its language has that of the page above.
 * Pages in a language that isn't built are left out, and so are those that would stand on an address of the catalogue.
 */
export function placePages(source: LoaderSource): PlacedPage[] {
  const records = new Map([...source.snapshot.records('page')].map((record) => [record.id, record]));
  const placed = new Map<number, PlacedPage | undefined>();
  const children = Map.groupBy(records.values(), ({ parent }) => parent);
  const place = (record: Stored<PageRecord>, below: readonly number[] = []): PlacedPage | undefined => {
    if (placed.has(record.id)) return placed.get(record.id);
    const parent =
      record.parent === undefined || below.includes(record.parent) ? undefined : records.get(record.parent);
    const above = parent && place(parent, [...below, record.id]);
    const page = placePage(source, record, { above, children: children.get(record.id) ?? [] });
    placed.set(record.id, page);
    return page;
  };
  const pages = [...records.values()].flatMap((record) => place(record) ?? []);
  return withUniquePaths(pages, source.warn);
}

function placePage(
  { options, languages, warn }: LoaderSource,
  record: Stored<PageRecord>,
  { above, children }: { above: PlacedPage | undefined; children: readonly PageRecord[] },
): PlacedPage | undefined {
  const rules = options.publishing.language;
  const evidence = { slug: record.slug, categories: [], tags: [] };
  const language = findLanguage(evidence, rules) ?? above?.language ?? options.mainLanguage;
  if (!languages.includes(language)) return undefined;
  const slug = stripLanguagePrefix(addressSlug(record), language, rules);
  const parent = above?.language === language ? above : undefined;
  const slugPath = parent ? `${parent.slugPath}/${slug}` : slug;
  if (isReservedPath(slugPath)) {
    warn(
      `The page "${record.title}" is left out: ${pagePath(language, slugPath)} belongs to the catalogue. ${wordChildren(children)}Rename its slug.`,
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

/** What becomes of the pages below one that is left out. */
function wordChildren(children: readonly PageRecord[]): string {
  if (children.length === 0) return '';
  const names = children.map(({ title }) => `"${title}"`).join(', ');
  return `The pages below it (${names}) stand at the top instead, at other addresses. `;
}

/** The page with the lower id keeps the address. */
function withUniquePaths(pages: readonly PlacedPage[], warn: (message: string) => void): PlacedPage[] {
  const owners = new Map<string, PlacedPage>();
  for (const page of pages) {
    // Some file systems make no difference between upper and lower case.
    const place = page.entryId.toLowerCase();
    const owner = owners.get(place);
    if (!owner) owners.set(place, page);
    else warn(`The page "${page.record.title}" is left out: "${owner.record.title}" stands at ${page.path} already.`);
  }
  return [...owners.values()];
}
