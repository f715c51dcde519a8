import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { TIME_ZONE } from '#contracts/index.ts';
import { escapeHtml } from '#contracts/html/index.ts';
import type { ListedEntry } from '#model/entries.ts';
import type { Mentions } from '#model/mentions.ts';
import type { EpisodeEntry, PodcastEntry } from '#model/podcast.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { digitalLinkPath, podcastPath, productPath } from '../addresses/paths.ts';
import { findMentions, MAX_MENTIONED, mentionFinder } from '../journal/related-posts.ts';
import { question, type Source } from '../port/reads.ts';
import type { Site } from '../site/site.ts';
import { pageList, type PageOfList } from '../site/standing-pages.ts';

export type { EpisodeEntry, PodcastEntry };

export const EPISODES_PER_PAGE = 24;
/** A shorter list needs no headings by year. */
const MANY_EPISODES = 12;
/** Of a product. */
const MAX_EPISODES = 4;

/** A page of the show. */
export interface PodcastPage extends PageOfList<EpisodeEntry> {
  groups: readonly EpisodeGroup[];
  /** Episodes on all pages. */
  count: number;
}

/** Episodes below one heading, the newest first; without season or year there is no heading. */
export interface EpisodeGroup {
  season?: number;
  /** `2026`. */
  year?: string;
  episodes: EpisodeEntry[];
}

/** What lists, neighbours and other pages show of an episode. */
export type TeasedEpisode = Pick<
  EpisodeEntry,
  'path' | 'title' | 'subtitle' | 'number' | 'season' | 'type' | 'published' | 'durationMs' | 'explicit' | 'cover'
>;

/** The pages of the podcast in a language; none where it has no podcast. */
export function podcastPages(site: Pick<Site, 'podcast' | 'episodes'>, language: string): PodcastPage[] {
  if (!site.podcast(language)) return [];
  const episodes = site.episodes(language);
  return once(pagesOf, episodes, () => {
    const groupOf = grouping(episodes);
    const count = episodes.length;
    return pageList(episodes, EPISODES_PER_PAGE).map((page) => ({ ...page, groups: groupOf(page.items), count }));
  });
}

/** One of them: its page is rendered again when something on it has changed. */
export const podcastPage = question(
  'podcastPage',
  ['podcasts', 'episodes'],
  (site: Pick<Site, 'podcast' | 'episodes'>, language: string, number: number) =>
    podcastPages(site, language)[number - 1],
);

/** The one that the home page shows. */
export const newestEpisode = question(
  'newestEpisode',
  ['episodes'],
  (site: Pick<Site, 'episodes'>, language: string) => site.episodes(language)[0],
);

/** Language -> path of the same page of the podcast, as far as there is one. */
export const podcastPagePaths = question(
  'podcastPagePaths',
  ['podcasts', 'episodes', 'languages'],
  (site: Pick<Site, 'podcast' | 'episodes' | 'languages'>, number: number) =>
    pathsByLanguage(
      site,
      (code) => site.podcast(code) && (number === 1 || site.episodes(code).length > (number - 1) * EPISODES_PER_PAGE),
      (code) => numberedPath(podcastPath(code), number),
    ),
);

/** By the last part of its path. */
export const findEpisode = question(
  'episode',
  ['episodes'],
  (site: Pick<Site, 'episodes'>, language: string, slug: string) => episodesBySlug(site.episodes(language)).get(slug),
);

/** The parameters of each episode's routes. */
export function episodeParams(
  site: Pick<Site, 'languages' | 'episodes'>,
  isMeant: (episode: EpisodeEntry) => boolean = () => true,
): { params: { language: string; slug: string } }[] {
  return site.languages.flatMap(({ code: language }) =>
    site
      .episodes(language)
      .filter(isMeant)
      .map(({ slug }) => ({ params: { language, slug } })),
  );
}

function episodesBySlug(episodes: readonly EpisodeEntry[]): Map<string, EpisodeEntry> {
  return once(bySlug, episodes, () => new Map(episodes.map((episode) => [episode.slug, episode])));
}

/** By season where there are any; a long list without seasons by year. */
function grouping(all: readonly EpisodeEntry[]): (episodes: readonly EpisodeEntry[]) => EpisodeGroup[] {
  const keyOf = groupKey(all);
  return (episodes) =>
    [...Map.groupBy(episodes, (episode) => JSON.stringify(keyOf(episode)))].flatMap(([, group]) =>
      group[0] ? [{ ...keyOf(group[0]), episodes: group }] : [],
    );
}

function groupKey(all: readonly EpisodeEntry[]): (episode: EpisodeEntry) => Omit<EpisodeGroup, 'episodes'> {
  if (all.some(({ season }) => season !== undefined)) return ({ season }) => (season === undefined ? {} : { season });
  if (all.length <= MANY_EPISODES) return () => ({});
  const year = new Intl.DateTimeFormat('en-CA', { year: 'numeric', timeZone: TIME_ZONE });
  return ({ published }) => ({ year: year.format(published) });
}

/** The episodes published before and after one. */
export const episodeNeighbours = question(
  'episodeNeighbours',
  ['episodes'],
  (
    site: Pick<Site, 'episodes'>,
    language: string,
    slug: string,
  ): { previous: TeasedEpisode | undefined; next: TeasedEpisode | undefined } => {
    const episodes = site.episodes(language);
    const places = once(placesIn, episodes, () => new Map(episodes.map((one, place) => [one.slug, place])));
    const place = places.get(slug);
    const at = (other: number) => teaserOf(episodes[other]);
    return place === undefined
      ? { previous: undefined, next: undefined }
      : { previous: at(place + 1), next: at(place - 1) };
  },
);

function teaserOf(episode: EpisodeEntry | undefined): TeasedEpisode | undefined {
  if (!episode) return undefined;
  const { path, title, subtitle, number, season, type, published, durationMs, explicit, cover } = episode;
  return { path, title, subtitle, number, season, type, published, durationMs, explicit, cover };
}

/** How products are found that a text mentions. */
type Products = Pick<Site, 'named' | 'product' | 'episodes'>;

const MENTIONED: readonly Source[] = ['episodes', 'lists'];

/** The products of an episode: those that its chapters link to or name, and those of its notes. */
export function episodeProducts(
  site: Products,
  { language, slug }: Pick<EpisodeEntry, 'language' | 'slug'>,
): readonly ListedEntry[] {
  return productsOfEpisode(site, language, slug);
}

const productsOfEpisode = question('episodeProducts', MENTIONED, (site: Products, language: string, slug: string) => {
  const episodes = site.episodes(language);
  const found = once(productsOf, episodes, () => findProducts(site, episodes));
  return found.get(slug) ?? [];
});

/** Of all episodes in a language, with one query for all of them. */
function findProducts(site: Products, episodes: readonly EpisodeEntry[]): Map<string, readonly ListedEntry[]> {
  const language = episodes[0]?.language ?? '';
  const names = new Set<string>();
  for (const { mentions } of episodes) for (const name of mentions.names) names.add(name);
  const linked = new Map<string, ListedEntry | undefined>();
  const find = mentionFinder(site.named(language, [...names], MAX_MENTIONED), (gtin) => {
    if (!linked.has(gtin)) linked.set(gtin, site.product(language, gtin));
    return linked.get(gtin);
  });
  return new Map(episodes.map(({ slug, mentions }) => [slug, find(mentions)]));
}

/** What the chapters and the notes of an episode may mean products by. */
export function episodeMentions({ chapters, html }: Pick<EpisodeEntry, 'chapters' | 'html'>): Mentions {
  const links = chapters.map(({ title, href = '' }) => `<p><a href="${escapeHtml(href)}">${escapeHtml(title)}</a></p>`);
  return findMentions(links.join('') + html);
}

/** The episode as its page shows it: chapters that lead to a GS1 Digital Link lead to the product's page in its language. */
export function withProductLinks(site: Products, episode: EpisodeEntry): EpisodeEntry {
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

/** The newest episodes about a product. */
export const productEpisodes = question('productEpisodes', MENTIONED, findEpisodes);

function findEpisodes(site: Products, language: string, gtin: string): readonly TeasedEpisode[] {
  const episodes = site.episodes(language);
  const byGtin = once(byProduct, episodes, () => {
    const found = new Map<string, EpisodeEntry[]>();
    for (const episode of episodes)
      for (const product of episodeProducts(site, episode)) {
        const others = found.get(product.gtin) ?? [];
        if (others.length < MAX_EPISODES) found.set(product.gtin, [...others, episode]);
      }
    return found;
  });
  return (byGtin.get(gtin) ?? []).flatMap((episode) => teaserOf(episode) ?? []);
}

// Looked up once for a site: each of its episodes and products asks.
const pagesOf = new WeakMap<readonly EpisodeEntry[], PodcastPage[]>();
const bySlug = new WeakMap<readonly EpisodeEntry[], Map<string, EpisodeEntry>>();
const placesIn = new WeakMap<readonly EpisodeEntry[], Map<string, number>>();
const productsOf = new WeakMap<readonly EpisodeEntry[], Map<string, readonly ListedEntry[]>>();
const byProduct = new WeakMap<readonly EpisodeEntry[], Map<string, EpisodeEntry[]>>();

function once<Key, Value>(
  known: { get: (key: Key) => Value | undefined; set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
