import type { PostRecord, ArticleRecord, EpisodeRecord, PageRecord, TermRecord } from '#contracts/synced/index.ts';
import { postPath, episodePath, isReservedPath, pagePath } from '#catalogue/addresses/paths.ts';
import type { Stored, SnapshotReader, StoredAsset } from '#snapshot/index.ts';
import type { LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import type { Options } from '#config/index.ts';
import { baseLanguage } from '#contracts/localized.ts';
import { decodePercent, truncateBytes } from '#contracts/scan-text.ts';

/** A record with its language and address on this site. */
export interface SiteEntry<T> {
  record: T;
  language: string;
  /** Last segment of the path, without the language prefix. */
  slug: string;
  /** Id in its collection. */
  entryId: string;
  /** Root-relative path of its page. */
  path: string;
}

/** Assigns each post its language and address. Posts in languages that aren't built are omitted. */
export function resolvePostPaths(
  { snapshot, options, languages }: LoaderSource,
  terms: TermIndex,
): SiteEntry<Stored<PostRecord>>[] {
  const rules = options.publishing.language;
  if (!options.pages.journal) return [];
  const posts = [...snapshot.records('post')].flatMap((record) => {
    const evidence = { slug: record.slug, categories: terms.categorySlugs(record), tags: terms.tagSlugs(record) };
    const language = findLanguage(evidence, rules) ?? options.mainLanguage;
    return languages.includes(language) ? { record, language } : [];
  });
  return assignSlugs(posts, rules, postPath);
}

/**
 * Assigns each record its slug, without the language prefix. If two would get the same address, both keep the unique
 * slug of the publishing site. Remaining duplicates get their id as a suffix.
 */
export function assignSlugs<T extends { id: number; slug: string }>(
  records: readonly { record: T; language: string }[],
  rules: readonly LanguageRule[],
  pathOf: (language: string, slug: string) => string,
): SiteEntry<T>[] {
  const candidates = records.map(({ record, language }) => {
    const fullSlug = addressSlug(record);
    return { record, language, fullSlug, shortSlug: stripLanguagePrefix(fullSlug, language, rules) };
  });
  const counts = new Map<string, number>();
  for (const { language, fullSlug, shortSlug } of candidates) {
    for (const key of new Set([keyOf(language, fullSlug), keyOf(language, shortSlug)]))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const usedKeys = new Set<string>();
  return candidates.map(({ record, language, fullSlug, shortSlug }) => {
    const unique = counts.get(keyOf(language, shortSlug)) === 1 ? shortSlug : fullSlug;
    const slug = usedKeys.has(keyOf(language, unique)) ? `${unique}-${record.id}` : unique;
    usedKeys.add(keyOf(language, slug));
    return { record, language, slug, entryId: `${language}/${slug}`, path: pathOf(language, slug) };
  });
}

/** Some file systems are case-insensitive. */
function keyOf(language: string, slug: string): string {
  return `${language}/${slug.toLowerCase()}`;
}

type LanguageRule = Options['publishing']['language'][number];

/** Properties that language rules examine. Pages have no terms. */
interface LanguageEvidence {
  slug: string;
  /** Slugs of the categories and their ancestors. */
  categories: readonly string[];
  tags: readonly string[];
}

/** Returns the language of the first matching rule, or undefined. */
export function findLanguage(evidence: LanguageEvidence, rules: readonly LanguageRule[]): string | undefined {
  const slugs = { category: evidence.categories, tag: evidence.tags };
  for (const rule of rules) {
    const match =
      rule.by === 'slug-prefix'
        ? Object.entries(rule.prefixes).find(([prefix]) => evidence.slug.startsWith(prefix))
        : Object.entries(rule.terms).find(([term]) => slugs[rule.by].includes(term));
    if (match) return match[1];
  }
  return undefined;
}

/** Removes the language prefix from a slug. A slug that consists of the prefix alone stays. */
export function stripLanguagePrefix(slug: string, language: string, rules: readonly LanguageRule[]): string {
  const prefixes = rules.flatMap((rule) => (rule.by === 'slug-prefix' ? Object.entries(rule.prefixes) : []));
  const prefix = prefixes.find(([start, prefixLanguage]) => prefixLanguage === language && slug.startsWith(start))?.[0];
  return prefix === undefined ? slug : slug.slice(prefix.length) || slug;
}

export function readPodcast({ snapshot }: Pick<LoaderSource, 'snapshot'>) {
  return { podcast: [...snapshot.records('podcast')][0], shows: [...snapshot.records('show')] };
}

/**
 * Assigns each episode its language and address. The language comes from its show, or else from its tags or slug as for
 * posts, or else from the podcast. Episodes in languages that aren't built are omitted.
 */
export function resolveEpisodePaths(
  source: Omit<LoaderSource, 'warn'>,
  terms: TermIndex,
): SiteEntry<Stored<EpisodeRecord>>[] {
  const { snapshot, options, languages } = source;
  const rules = options.publishing.language;
  if (!options.pages.podcast) return [];
  const { podcast, shows } = readPodcast(source);
  const showLanguages = new Map(shows.flatMap(({ slug, language }) => (language ? [[slug, language] as const] : [])));
  const episodes = [...snapshot.records('episode')].flatMap((record) => {
    const evidence = { slug: record.slug, categories: [], tags: terms.tagSlugs(record) };
    const showLanguage = showLanguages.get(record.show);
    const ruleLanguage = showLanguage === undefined ? findLanguage(evidence, rules) : undefined;
    const code = showLanguage ?? ruleLanguage ?? podcast?.language ?? options.mainLanguage;
    const language = siteLanguage(code, languages);
    return language === undefined ? [] : [{ record, language }];
  });
  return assignSlugs(episodes, rules, episodePath);
}

/** Finds the site language for a podcast language: the same one, or else the first with the same base language. */
export function siteLanguage(code: string, languages: readonly string[]): string | undefined {
  const lowerCode = code.toLowerCase();
  return (
    languages.find((language) => language.toLowerCase() === lowerCode) ??
    languages.find((language) => baseLanguage(language.toLowerCase()) === baseLanguage(lowerCode))
  );
}

/** Returns the first stored transcript of an episode. */
export function findTranscript(
  snapshot: Pick<SnapshotReader, 'asset'>,
  { transcripts }: Pick<EpisodeRecord, 'transcripts'>,
): StoredAsset | undefined {
  return transcripts.map((url) => snapshot.asset(url, 'transcript')).find((asset) => asset?.digest);
}

/** Converts an episode to an article record, with the id of its page instead of that of the episode. */
export function toEpisodeArticle({ record, ...placed }: SiteEntry<EpisodeRecord>): SiteEntry<ArticleRecord> {
  const { page: id, slug, link, title, html, summary: excerpt, published, modified = published } = record;
  const { author = 0, featuredMedia } = record;
  return {
    ...placed,
    record: { id, slug, link, title, html, excerpt, published, modified, author, featuredMedia },
  };
}

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

export type TermIndex = ReturnType<typeof indexTerms>;

/** Reads categories, then tags. */
export function readTerms(snapshot: Pick<SnapshotReader, 'records'>): Stored<TermRecord>[] {
  return [...snapshot.records('category'), ...snapshot.records('tag')];
}

/** Indexes terms by id. Ids are unique across both taxonomies. */
export function indexTerms(terms: readonly TermRecord[]) {
  const byId = new Map(terms.map((term) => [term.id, term]));
  const termsOf = (ids: readonly number[]): TermRecord[] => ids.flatMap((id) => byId.get(id) ?? []);
  const withAncestors = (term: TermRecord): TermRecord[] => {
    const chain: TermRecord[] = [];
    for (let ancestor: TermRecord | undefined = term; ancestor && !chain.includes(ancestor);) {
      chain.push(ancestor);
      ancestor = ancestor.parent === undefined ? undefined : byId.get(ancestor.parent);
    }
    return chain;
  };
  return {
    /** Terms with these ids, in the given order; unknown ids are skipped. */
    termsOf,
    /** Slugs of a post's categories and their ancestors. */
    categorySlugs: ({ categories }: Pick<PostRecord, 'categories'>) =>
      termsOf(categories).flatMap((term) => withAncestors(term).map(({ slug }) => slug)),
    tagSlugs: ({ tags }: Pick<PostRecord, 'tags'>) => termsOf(tags).map(({ slug }) => slug),
  };
}

/** Terms shown on pages, without those that only mark a language or a translation. */
export function publicTerms(
  terms: readonly TermRecord[],
  publishing: Options['publishing'],
): { slug: string; name: string }[] {
  return terms
    .filter((term) => !isMarkerTerm(term, publishing))
    .map((term) => ({ slug: addressSlug(term), name: term.name || addressSlug(term) }));
}

/** True for terms that only mark a language or link translations. */
export function isMarkerTerm(term: TermRecord, { language, translations }: Options['publishing']): boolean {
  const { tagPrefix } = translations;
  if (term.taxonomy === 'tag' && tagPrefix !== undefined && term.slug.startsWith(tagPrefix)) return true;
  return language.some((rule) => rule.by === term.taxonomy && Object.hasOwn(rule.terms, term.slug));
}

/**
 * Characters that end a path or have a meaning for hosts, spaces and invisible characters. The two joiners stay,
 * because some scripts need them.
 */
const UNSAFE = /(?:(?![\w-])[\0-\x7f]|(?![\u200c\u200d])[\p{C}\p{Z}])+/gu;

/** In UTF-8 bytes. File systems allow 255, and files generated next to a page have longer names. */
const MAX_BYTES = 200;

/**
 * Converts a slug of the publishing site, which percent-encodes non-ASCII characters, to a safe, readable path segment.
 * Slugs without any safe character are replaced by the id.
 */
export function addressSlug({ slug, id }: { slug: string; id: number }): string {
  const safe = decodePercent(slug).normalize('NFC').replaceAll(UNSAFE, '-');
  return /^-*$/.test(safe) ? String(id) : truncateBytes(safe, MAX_BYTES);
}
