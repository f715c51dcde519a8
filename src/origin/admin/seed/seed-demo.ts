import { getTableName, inArray, max, sql } from 'drizzle-orm';
import { DEFAULT_CONFIG } from '#contracts/player/config.ts';
import { EPISODE_PAGE_TYPE } from '#contracts/podcast/episode-routes.ts';
import { parsePlayTime } from '#contracts/podcast/play-time.ts';
import type { Chapter } from '#contracts/podcast/chapter.ts';
import { languageName } from '#contracts/product/index.ts';
import { toSettingsMeta, seoSettings } from '#contracts/seo/settings.ts';
import { toUtc } from '#contracts/site-clock.ts';
import { PLAYER_OPTION } from '#origin/namespaces/podcast/player/serve-player.ts';
import { createPodcastRecord } from '#origin/namespaces/podcast/podcast-record.ts';
import { podcastAsset, podcastEpisode, podcastMediaFile, podcastShow } from '#origin/namespaces/podcast/tables.ts';
import { writeSeoOptions } from '#origin/namespaces/seo/options.ts';
import { seoObjectSettings } from '#origin/namespaces/seo/tables.ts';
import type { ResourceTable } from '#origin/platform/content/resources/find-rows.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, option, productLanguage, term, user } from '#origin/platform/store/schema.ts';
import { upsertProducts } from '#origin/platform/store/upsert-products.ts';
import {
  DEMO_LANGUAGES,
  translationTag,
  type DemoContent,
  type DemoEpisode,
  type DemoPage,
  type DemoPost,
  episodeCover,
  episodeFiles,
  podcastUpload,
  showCover,
  type DemoUploads,
} from './demo-content.ts';

/** In UTC, the others in the time zone of the site. */
const REGISTERED = new Date('2026-01-05T08:00:00Z');
const PRODUCTS_AND_PODCAST_WRITTEN = new Date('2026-01-12T08:00:00Z');
const UPLOADED = '2026-01-08 09:00:00';
const PAGES_WRITTEN = '2026-01-09 09:00:00';

/** Apps that find a podcast by the address of its feed. Others need an id from their directory, which the demo lacks. */
const PLAYER = {
  configs: {
    default: {
      ...DEFAULT_CONFIG,
      'subscribe-button': {
        feed: 'mp3',
        clients: [
          { id: 'rss', service: null },
          { id: 'antenna-pod', service: null },
        ],
      },
    },
  },
};

/** IDs that rows of the demo refer to. */
interface Seed extends DemoUploads {
  demo: DemoContent;
  site: string;
  /** IDs of the editorial accounts by language. */
  authors: ReadonlyMap<string, number>;
  /** IDs of categories and tags by `termKey`. */
  terms: ReadonlyMap<string, number>;
}

/**
 * Seeds the demo into an empty store with fixed dates and IDs, so that two seeds are identical.
 *
 * @returns the ID of the default category
 */
export async function seedDemo(
  tx: Transaction,
  { publicUrl: site }: Pick<OriginContext, 'publicUrl'>,
  demo: DemoContent,
  uploads: DemoUploads,
): Promise<number> {
  const languages = DEMO_LANGUAGES.map((code, position) => ({ code, name: languageName(code), position }));
  await tx.insert(productLanguage).values(languages);
  const records = Object.values(demo.products).flatMap((product) => Object.values(product));
  await upsertProducts(tx, records, PRODUCTS_AND_PODCAST_WRITTEN);
  const authors = await seedAuthors(tx, demo);
  const terms = await seedTerms(tx, demo);
  const seed = { ...uploads, demo, site, authors, terms };
  await seedPodcast(tx, seed, await seedContent(tx, seed));
  await seedSeo(tx, seed);
  return terms.values().next().value ?? 0;
}

/** Seeds the editorial accounts, which have no password. The bootstrap file may have created some. */
async function seedAuthors(tx: Transaction, { users }: DemoContent): Promise<Map<string, number>> {
  const rows = users.map((account) => ({ ...account, slug: account.login, registeredAt: REGISTERED }));
  await tx.insert(user).values(rows).onConflictDoNothing();
  const logins = rows.map(({ login }) => login);
  const found = await tx.select({ id: user.id, login: user.login }).from(user).where(inArray(user.login, logins));
  return new Map(users.map(({ language, login }) => [language, found.find((row) => row.login === login)?.id ?? 0]));
}

/** Seeds categories and tags in the order of their file. */
async function seedTerms(tx: Transaction, { categories, tags }: Pick<DemoContent, 'categories' | 'tags'>) {
  const rows = [
    ...categories.map(({ parent, ...row }) => ({ ...row, parent, taxonomy: 'category' as const })),
    ...tags.map(({ slug, name }) => ({ slug, name, parent: undefined, taxonomy: 'post_tag' as const })),
  ];
  const keys = rows.map(({ taxonomy, slug }) => termKey(taxonomy, slug));
  const ids = await reserveIds(tx, term, keys);
  await tx.insert(term).values(
    rows.map(({ parent, ...row }) => ({
      ...row,
      id: ids.get(termKey(row.taxonomy, row.slug)),
      parentId: ids.get(termKey(row.taxonomy, parent)) ?? 0,
    })),
  );
  return ids;
}

/** Slugs are unique within a taxonomy only. */
function termKey(taxonomy: string, slug: string | undefined): string {
  return `${taxonomy} ${slug}`;
}

/** Seeds media, pages, posts and pages of episodes, numbered in this order. @returns their ids by `contentKey` */
async function seedContent(tx: Transaction, seed: Seed): Promise<ReadonlyMap<string, number>> {
  const { demo, site, authors, images, terms } = seed;
  const { pages, posts, podcast } = demo;
  const ids = await reserveIds(tx, content, [
    ...images.map((item) => contentKey('attachment', item)),
    ...pages.map((item) => contentKey('page', item)),
    ...posts.map((item) => contentKey('post', item)),
    ...podcast.episodes.map((item) => contentKey(EPISODE_PAGE_TYPE, item)),
  ]);
  const idOf = (type: string, key: string | undefined, language: string) =>
    ids.get(contentKey(type, { key, language })) ?? 0;
  const shared = (type: ContentType, { key, language }: DemoItem, siteTime: string) => {
    const date = siteTime.replace('T', ' ');
    const dateGmt = toUtc(date, demo.site.timezone);
    const authorId = authors.get(language) ?? 0;
    return { id: idOf(type, key, language), type, authorId, date, dateGmt, modified: date, modifiedGmt: dateGmt };
  };
  const written = ({ slug, title, body, language, featured }: DemoPage | DemoPost) => ({
    status: 'publish',
    slug,
    title,
    content: body.replaceAll('{site}', site).replaceAll(/\{media:([a-z0-9-]+)\}/g, (_, motif) => {
      const image = images.find((candidate) => candidate.key === motif && candidate.language === language);
      return `${site}/uploads/${image?.file}`;
    }),
    featuredMedia: idOf('attachment', featured, language),
  });
  const rows: (typeof content.$inferInsert)[] = [
    ...images.map((image) => {
      const { key, language, file, mediaDetails } = image;
      const texts = demo.media.find((motif) => motif.key === key);
      return {
        ...shared('attachment', image, UPLOADED),
        status: 'inherit',
        slug: `${key}-${language}`,
        title: texts?.title[language] ?? key,
        altText: texts?.alt[language] ?? '',
        excerpt: texts?.caption[language] ?? '',
        content: texts?.description[language] ?? '',
        guid: `${site}/uploads/${file}`,
        pingStatus: 'closed' as const,
        mimeType: 'image/jpeg',
        file,
        mediaDetails,
      };
    }),
    ...pages.map((page) => ({
      ...shared('page', page, PAGES_WRITTEN),
      ...written(page),
      parentId: idOf('page', page.parent, page.language),
      menuOrder: page.menu_order,
      guid: `${site}/?page_id=${idOf('page', page.key, page.language)}`,
      commentStatus: 'closed' as const,
      pingStatus: 'closed' as const,
      meta: seoMeta(demo.seo.pages[page.key]?.[page.language]),
    })),
    ...posts.map((post) => ({
      ...shared('post', post, post.date),
      ...written(post),
      excerpt: post.excerpt ?? '',
      sticky: post.sticky,
      guid: `${site}/${post.slug}/`,
      meta: seoMeta(demo.seo.posts[post.key]?.[post.language]),
    })),
    ...podcast.episodes.map((episode) => ({
      ...shared(EPISODE_PAGE_TYPE, episode, episode.published),
      status: 'publish',
      slug: episode.slug,
      title: episode.title,
      content: episode.notes.trim().replaceAll('{site}', site),
      guid: `${site}/${episode.slug}/`,
      pingStatus: 'closed' as const,
    })),
  ];
  await tx.insert(content).values(rows);
  const assigned = [
    ...posts.flatMap((post) => [
      ...post.categories.map((slug) => ({ key: contentKey('post', post), of: termKey('category', slug) })),
      ...post.tags.map((slug) => ({ key: contentKey('post', post), of: termKey('post_tag', slug) })),
    ]),
    ...podcast.episodes.map((episode) => ({
      key: contentKey(EPISODE_PAGE_TYPE, episode),
      of: termKey('post_tag', translationTag(episode.key)),
    })),
  ];
  await tx
    .insert(contentTerm)
    .values(assigned.map(({ key, of }) => ({ contentId: ids.get(key) ?? 0, termId: terms.get(of) ?? 0 })));
  return ids;
}

type ContentType = (typeof content.$inferInsert)['type'];

interface DemoItem {
  key: string | undefined;
  language: string;
}

function contentKey(type: string, { key, language }: DemoItem): string {
  return `${type} ${key} ${language}`;
}

/** Seeds the settings for the heads of categories and of the site. Those of posts and pages are their meta. */
async function seedSeo(tx: Transaction, { demo: { seo }, terms }: Seed): Promise<void> {
  const rows = Object.entries(seo.categories).flatMap(([slug, fields]) => {
    const objectId = terms.get(termKey('category', slug));
    return objectId === undefined ? [] : [{ type: 'term' as const, objectId, meta: seoMeta(fields) }];
  });
  await tx.insert(seoObjectSettings).values(rows);
  await writeSeoOptions(tx, seo.site);
}

function seoMeta(fields: object | undefined): Record<string, string> {
  return toSettingsMeta(seoSettings.parse(fields ?? {}));
}

/** Seeds the podcast with the texts of its first show, the shows, the episodes with their files, and the player. */
async function seedPodcast(tx: Transaction, seed: Seed, pageIds: ReadonlyMap<string, number>): Promise<void> {
  const { demo, site, podcastBytes } = seed;
  const { shows, episodes } = demo.podcast;
  const address = (path: string) => `${site}/uploads/${podcastUpload(path)}`;
  const [main] = shows;
  if (!main) return;
  const { language, author, email, type, ...same } = main;
  await createPodcastRecord(tx, site, {
    ...same,
    language: languageTag(language),
    author_name: author,
    podcast_email: email,
    itunes_type: type,
    cover_image: address(showCover(language)),
    modified: PRODUCTS_AND_PODCAST_WRITTEN.toISOString(),
  });
  await tx.insert(podcastAsset).values([
    { title: 'Opus Audio', identifier: 'opus', fileType: 'opus', position: 1 },
    { title: 'Transcript', identifier: 'vtt', fileType: 'vtt', position: 2 },
  ]);
  const assets = new Map((await tx.select().from(podcastAsset)).map(({ fileType, id }) => [fileType, id]));

  const showRows = shows.map(({ author: authorName, type: itunesType, ...show }) => ({
    ...show,
    slug: show.language,
    language: languageTag(show.language),
    image: address(showCover(show.language)),
    authorName,
    itunesType,
  }));
  const storedShows = await tx.insert(podcastShow).values(showRows).returning();
  const episodeRows = episodes.map((episode) => ({
    ...episodeRow(episode, site),
    contentId: pageIds.get(contentKey(EPISODE_PAGE_TYPE, episode)) ?? 0,
    poster: address(episodeCover(episode.key)),
    showId: storedShows.find((show) => show.slug === episode.language)?.id ?? null,
  }));
  const storedEpisodes = await tx.insert(podcastEpisode).values(episodeRows).returning();
  const episodeIds = new Map(storedEpisodes.map((episode) => [episode.slug, episode.id]));
  const files = episodes.flatMap(({ slug, duration }) =>
    episodeFiles(slug).map((path) => {
      const extension = path.slice(path.lastIndexOf('.') + 1);
      return {
        episodeId: episodeIds.get(slug) ?? 0,
        assetId: assets.get(extension) ?? 0,
        size: podcastBytes.get(path) ?? 0,
        durationMs: extension === 'vtt' ? null : (parsePlayTime(duration) ?? null),
      };
    }),
  );
  await tx.insert(podcastMediaFile).values(files);
  await tx.insert(option).values({ name: PLAYER_OPTION, value: PLAYER });
}

function languageTag(language: string): string {
  return language.replace(/-\w+$/, (region) => region.toUpperCase());
}

function episodeRow(episode: DemoEpisode, site: string) {
  const { recorded, soundbite } = episode;
  const chapters = episode.chapters.map(({ start, title, gtin, href, image }): Chapter => {
    const target = gtin === undefined ? href : `${site}/01/${gtin}`;
    return {
      startMs: parsePlayTime(start) ?? 0,
      title,
      ...(target !== undefined && { href: target }),
      ...(image !== undefined && { image: `${site}/${image}` }),
    };
  });
  return {
    ...episode,
    chapters,
    slugFrozen: true,
    recordingDate: `${recorded} 00:00:00`,
    soundbiteStart: soundbite.start,
    soundbiteDuration: soundbite.duration,
    soundbiteTitle: soundbite.title,
  };
}

/** Returns consecutive IDs for new rows by key, and moves the table's sequence past them. */
async function reserveIds(tx: Transaction, table: ResourceTable, keys: readonly string[]) {
  const first = await alignSequence(tx, table);
  await alignSequence(tx, table, first + keys.length);
  return new Map(keys.map((key, i) => [key, first + i]));
}

/**
 * Sets a table's sequence after its highest ID and returns the next ID. Sequences aren't rolled back, so a repeated
 * seed would otherwise number its rows differently.
 */
export async function alignSequence(tx: Transaction, table: ResourceTable, first = 1): Promise<number> {
  const [row] = await tx.select({ last: max(table.id) }).from(table);
  const next = Math.max(Number(row?.last ?? 0) + 1, first);
  const sequence = sql`pg_get_serial_sequence(${`"${getTableName(table)}"`}, 'id')`;
  await tx.execute(sql`select setval(${sequence}, ${next}, false)`);
  return next;
}
