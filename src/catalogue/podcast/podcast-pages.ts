import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { TIME_ZONE } from '#contracts/index.ts';
import { escapeHtml } from '#contracts/html/html-text.ts';
import type { ProductListEntry, Mentions, EpisodeEntry } from '../entries/entries.ts';
import { numberedPath, digitalLinkPath, podcastPath, productPath } from '../addresses/paths.ts';
import { cacheByObject, cacheByText } from '../cache.ts';
import { findMentions, MAX_MENTIONED, createMentionFinder } from '../journal/related-posts.ts';
import { productQuery, trackedQuery, type QuerySource } from '../site/tracked-queries.ts';
import type { Site } from '../site/load-site.ts';
import { paginate, type ListPage } from '../site/navigation.ts';

export const EPISODES_PER_PAGE = 24;
/** Minimum number of episodes for headings by year. */
const MANY_EPISODES = 12;
/** Maximum number of episodes on a product page. */
const MAX_EPISODES = 4;

export interface PodcastPage extends ListPage<EpisodeEntry> {
  groups: readonly EpisodeGroup[];
  /** Number of episodes on all pages. */
  count: number;
}

/** Episodes below one heading, newest first. There is no heading without season and year. */
export interface EpisodeGroup {
  season?: number;
  /** `2026`. */
  year?: string;
  episodes: EpisodeEntry[];
}

export type EpisodeTeaser = Pick<
  EpisodeEntry,
  'path' | 'title' | 'subtitle' | 'number' | 'season' | 'type' | 'published' | 'durationMs' | 'explicit' | 'cover'
>;

/** Lists the pages of the podcast in a language. Empty if there is none. */
export function podcastPages(site: Pick<Site, 'podcast' | 'episodes'>, language: string): PodcastPage[] {
  return site.podcast(language) ? pagesOf(site.episodes(language)) : [];
}

const pagesOf = cacheByObject((episodes: readonly EpisodeEntry[]): PodcastPage[] => {
  const keyOf = groupKey(episodes);
  return paginate(episodes, EPISODES_PER_PAGE).map((page) => {
    const groups = Map.groupBy(page.items, (episode) => JSON.stringify(keyOf(episode)));
    return {
      ...page,
      groups: [...groups.values()].flatMap((group) => (group[0] ? { ...keyOf(group[0]), episodes: group } : [])),
      count: episodes.length,
    };
  });
});

/** Returns a page of the podcast. The read is tracked, so that a change re-renders the page. */
export const podcastPage = trackedQuery(
  'podcastPage',
  ['podcasts', 'episodes'],
  (site: Pick<Site, 'podcast' | 'episodes'>, language: string, number: number) =>
    podcastPages(site, language)[number - 1],
);

/** Returns the episode on the home page. */
export const newestEpisode = trackedQuery(
  'newestEpisode',
  ['episodes'],
  (site: Pick<Site, 'episodes'>, language: string) => site.episodes(language)[0],
);

export const podcastPagePaths = trackedQuery(
  'podcastPagePaths',
  ['podcasts', 'episodes', 'languages'],
  (site: Pick<Site, 'podcast' | 'episodes' | 'languages'>, number: number) =>
    pathsByLanguage(
      site,
      (code) => site.podcast(code) && (number === 1 || site.episodes(code).length > (number - 1) * EPISODES_PER_PAGE),
      (code) => numberedPath(podcastPath(code), number),
    ),
);

export const findEpisode = trackedQuery(
  'episode',
  ['episodes'],
  (site: Pick<Site, 'episodes'>, language: string, slug: string) => {
    const episodes = site.episodes(language);
    return episodes[positionsIn(episodes).get(slug) ?? -1];
  },
);

/** Returns positions by slug. Cached, because each episode needs them. */
const positionsIn = cacheByObject(
  (episodes: readonly EpisodeEntry[]) => new Map(episodes.map(({ slug }, position) => [slug, position])),
);

/** Groups by season if there are any, else long lists by year. */
function groupKey(all: readonly EpisodeEntry[]): (episode: EpisodeEntry) => Omit<EpisodeGroup, 'episodes'> {
  if (all.some(({ season }) => season !== undefined)) return ({ season }) => (season === undefined ? {} : { season });
  if (all.length <= MANY_EPISODES) return () => ({});
  const year = new Intl.DateTimeFormat('en-CA', { year: 'numeric', timeZone: TIME_ZONE });
  return ({ published }) => ({ year: year.format(published) });
}

export const episodeNeighbours = trackedQuery(
  'episodeNeighbours',
  ['episodes'],
  (
    site: Pick<Site, 'episodes'>,
    language: string,
    slug: string,
  ): { previous: EpisodeTeaser | undefined; next: EpisodeTeaser | undefined } => {
    const episodes = site.episodes(language);
    const position = positionsIn(episodes).get(slug);
    const at = (other: number) => episodes[other] && toTeaser(episodes[other]);
    return position === undefined
      ? { previous: undefined, next: undefined }
      : { previous: at(position + 1), next: at(position - 1) };
  },
);

function toTeaser(episode: EpisodeEntry): EpisodeTeaser {
  const { path, title, subtitle, number, season, type, published, durationMs, explicit, cover } = episode;
  return { path, title, subtitle, number, season, type, published, durationMs, explicit, cover };
}

/** Site queries for mentioned products. */
type MentionSite = Pick<Site, 'named' | 'product' | 'episodes'>;

const MENTIONED: readonly QuerySource[] = ['episodes', 'lists'];

/** Returns the products that an episode's chapters and notes link to or name. */
export function episodeProducts(
  site: MentionSite,
  { language, slug }: Pick<EpisodeEntry, 'language' | 'slug'>,
): readonly ProductListEntry[] {
  return productsOfEpisode(site, language, slug);
}

const productsOfEpisode = trackedQuery(
  'episodeProducts',
  MENTIONED,
  (site: MentionSite, language: string, slug: string) => {
    const episodes = site.episodes(language);
    const found = productsOf.get(episodes) ?? findProducts(site, episodes);
    productsOf.set(episodes, found);
    return found.get(slug) ?? [];
  },
);

/** Finds the products of all episodes in a language with one query. */
function findProducts(site: MentionSite, episodes: readonly EpisodeEntry[]): Map<string, readonly ProductListEntry[]> {
  const language = episodes[0]?.language ?? '';
  const names = new Set(episodes.flatMap(({ mentions }) => mentions.names));
  const linked = cacheByText((gtin) => site.product(language, gtin));
  const find = createMentionFinder(site.named(language, [...names], MAX_MENTIONED), linked);
  return new Map(episodes.map(({ slug, mentions }) => [slug, find(mentions)]));
}

/** Extracts possible product names and numbers from an episode's chapters and notes. */
export function episodeMentions({ chapters, html }: Pick<EpisodeEntry, 'chapters' | 'html'>): Mentions {
  const links = chapters.map(({ title, href = '' }) => `<p><a href="${escapeHtml(href)}">${escapeHtml(title)}</a></p>`);
  return findMentions(links.join('') + html);
}

/** Replaces Digital Links in chapters by product pages in the language of the episode. */
export function withProductLinks(site: MentionSite, episode: EpisodeEntry): EpisodeEntry {
  const pages = new Map(
    episodeProducts(site, episode).map(({ gtin, slug }) => [
      digitalLinkPath(gtin),
      productPath(episode.language, slug),
    ]),
  );
  const chapters = episode.chapters.map((chapter) => {
    const href = pages.get(chapter.href ?? '');
    return href === undefined ? chapter : { ...chapter, href };
  });
  return { ...episode, chapters };
}

/** Returns the newest episodes about a product. */
export const productEpisodes = productQuery('productEpisodes', MENTIONED, (site: MentionSite, language) => {
  const episodes = site.episodes(language);
  const known = byProduct.get(episodes);
  if (known) return known;
  const found = new Map<string, EpisodeTeaser[]>();
  for (const episode of episodes) {
    for (const { gtin } of episodeProducts(site, episode)) {
      const existing = found.get(gtin) ?? [];
      if (existing.length < MAX_EPISODES) found.set(gtin, [...existing, toTeaser(episode)]);
    }
  }
  byProduct.set(episodes, found);
  return found;
});

// Cached per list, because each episode and product needs them.
const productsOf = new WeakMap<readonly EpisodeEntry[], Map<string, readonly ProductListEntry[]>>();
const byProduct = new WeakMap<readonly EpisodeEntry[], Map<string, EpisodeTeaser[]>>();
