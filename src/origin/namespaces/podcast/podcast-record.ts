import { eq, asc, getTableColumns, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { trackingMode, FILE_TYPES } from '#contracts/podcast/media-names.ts';
import { copyrightLine } from '#contracts/podcast/episode-routes.ts';
import * as routes from '#contracts/podcast/record.ts';
import { podcastGuid } from '#contracts/podcast/feed-document.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { type AnyCall, item, requireRight } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { option } from '#origin/platform/store/schema.ts';
import { podcastAsset, podcastFeed, omitUndefined, podcastEpisode, podcastShow } from './tables.ts';
import { replaceSiteUrl, SITE_OPTION } from '#origin/platform/site/load-site.ts';

const text = z.string().nullable().default(null);

/** The podcast as stored. Fields that were never set are null. */
const storedRecord = z.object({
  guid: z.string(),
  title: text,
  subtitle: text,
  summary: text,
  mnemonic: text,
  itunes_type: z.enum(['episodic', 'serial']).nullable().default(null),
  author_name: text,
  podcast_email: text,
  cover_image: text,
  funding_url: text,
  funding_label: text,
  copyright: text,
  explicit: z.boolean().default(false),
  category: text,
  language: text,
  license_name: text,
  license_url: text,
  /** True if episode titles start with their number. */
  has_generated_titles: z.boolean().default(false),
  /** Base address of episode files that are stored elsewhere. */
  media_base: text,
  tracking: trackingMode.default('redirect'),
  /** Maximum episodes per feed page; 0 for the built-in limit. */
  limit_items: z.int().min(0).default(0),
  /** True to set missing durations from the episode's file. */
  read_durations: z.boolean().default(false),
  /** Time of the last write. */
  modified: z.iso.datetime().default('1970-01-01T00:00:00.000Z'),
});
export type PodcastRecord = z.output<typeof storedRecord>;

export const PODCAST_OPTION = 'podcast';

/** `what` of events about the podcast itself. */
export const PODCAST_EVENT = 'podcast-record';

/** Loads the podcast, once between two writes. Creates it in a new store, with a default asset and feed. */
export function loadPodcastRecord({
  context: { store, publicUrl },
}: {
  context: Pick<OriginContext, 'store' | 'publicUrl'>;
}): Promise<PodcastRecord> {
  return store.writes.once(
    PODCAST_OPTION,
    async () => (await findRecord(store.db)) ?? (await createPodcastRecord(store.db, publicUrl)),
  );
}

async function findRecord(db: Pick<Database, 'select'>): Promise<PodcastRecord | undefined> {
  const [stored] = await db.select().from(option).where(eq(option.name, PODCAST_OPTION)).limit(1);
  return stored && storedRecord.parse(stored.value);
}

/** Returns the address of a feed of the podcast or one of its shows, with a trailing slash. */
export function feedAddress({ publicUrl }: Pick<OriginContext, 'publicUrl'>, slug: string, showSlug?: string): string {
  const below = showSlug === undefined ? '' : `/show/${encodeURIComponent(showSlug)}`;
  return `${publicUrl}${below}/feed/${encodeURIComponent(slug)}/`;
}

const DEFAULT_FEED = 'mp3';

/** Creates the podcast. Concurrent calls create it only once. */
export async function createPodcastRecord(
  db: Pick<Database, 'transaction'>,
  publicUrl: string,
  values: Partial<PodcastRecord> = {},
): Promise<PodcastRecord> {
  return retryTransaction(db, async (tx) => {
    const guid = podcastGuid(feedAddress({ publicUrl }, DEFAULT_FEED));
    const value = storedRecord.parse({ guid, modified: new Date().toISOString(), ...values });
    const [added] = await tx.insert(option).values({ name: PODCAST_OPTION, value }).onConflictDoNothing().returning();
    if (!added) return (await findRecord(tx)) ?? value;
    const [asset] = await tx
      .insert(podcastAsset)
      .values({ title: 'MP3 Audio', identifier: 'mp3', fileType: 'mp3' })
      .returning();
    await tx.insert(podcastFeed).values({ slug: DEFAULT_FEED, name: 'MP3 Audio', assetId: asset?.id });
    return value;
  });
}

/** Changes the podcast and announces the event. */
export async function updatePodcastRecord(
  call: Pick<AnyCall, 'context'>,
  values: Partial<PodcastRecord>,
): Promise<void> {
  await loadPodcastRecord(call);
  await retryTransaction(call.context.store.db, async (tx) => {
    const [stored] = await tx.select().from(option).where(eq(option.name, PODCAST_OPTION)).for('update');
    const value = storedRecord.parse({ ...(stored?.value as object), ...values, modified: new Date().toISOString() });
    await tx.update(option).set({ value }).where(eq(option.name, PODCAST_OPTION));
    await announce(tx, { what: PODCAST_EVENT, id: PODCAST_OPTION, action: 'updated' });
  });
}

function presentHead(record: PodcastRecord, { publicUrl: link }: OriginContext) {
  const { title, subtitle, summary, mnemonic, itunes_type, author_name, cover_image: poster } = record;
  return { title, subtitle, summary, mnemonic, itunes_type, author_name, poster, link };
}

export const authorizePodcastWrite = requireRight(
  'manage_options',
  'rest_forbidden',
  'Only users who manage the site may set up the podcast.',
);

/** Serves the podcast itself and its discoverable feeds. */
export function servePodcast(registry: RouteRegistry): void {
  registry.serve(routes.getShow, async (call) => {
    return item({ _version: 'v1', ...presentHead(await loadPodcastRecord(call), call.context) });
  });
  registry.serve(routes.getPodcast, async (call) => {
    const record = await loadPodcastRecord(call);
    const feeds = (await loadFeeds(call.context.store.db)).filter(({ discoverable }) => discoverable);
    const { guid, author_name: author, title, copyright } = record;
    const owner = { copyright: copyright ?? undefined, author: author ?? undefined, title: title ?? undefined };
    return item({
      _version: 'v2',
      guid,
      ...presentHead(record, call.context),
      podcast_email: record.podcast_email,
      funding_url: record.funding_url,
      funding_label: record.funding_label,
      copyright: copyrightLine(owner, new Date().getUTCFullYear()),
      explicit: record.explicit,
      category: routes.displayCategory(record.category ?? undefined),
      language: routes.displayLanguage(record.language ?? undefined),
      license_url: record.license_url,
      license_name: record.license_name,
      feeds: feeds.map(({ slug }) => ({ [slug]: feedAddress(call.context, slug) })),
    });
  });
  registry.with({ permit: authorizePodcastWrite })(routes.updatePodcast, async (call) => {
    const values = omitUndefined<PodcastRecord>(call.body);
    if (Object.keys(values).length > 0) await updatePodcastRecord(call, values);
    return item({ status: 'ok' });
  });
  registry.serve(routes.listFeeds, async (call) => {
    const { title } = await loadPodcastRecord(call);
    const feeds = (await loadFeeds(call.context.store.db)).filter(isListed);
    return item({
      _version: 'v2',
      results: feeds.map(({ id, slug, name, appendsName, fileType }) => {
        const type = FILE_TYPES.find(({ extension }) => extension === fileType);
        return {
          id,
          title: title !== null && appendsName ? `${title} (${name})` : title,
          url: feedAddress(call.context, slug),
          content_type: 'application/rss+xml',
          ...(type ? { file_type: { name: type.name, extension: type.extension, mime_type: type.mimeType } } : {}),
        };
      }),
    });
  });
}

export type Feed = typeof podcastFeed.$inferSelect & { fileType: string | null };

/** Loads all feeds in order, with the type of their files. */
export function loadFeeds(db: Pick<Database, 'select'>): Promise<Feed[]> {
  return db
    .select({ ...getTableColumns(podcastFeed), fileType: podcastAsset.fileType })
    .from(podcastFeed)
    .leftJoin(podcastAsset, eq(podcastAsset.id, podcastFeed.assetId))
    .orderBy(asc(podcastFeed.position), asc(podcastFeed.id));
}

/** True for feeds that lists and other feeds link to. */
export function isListed({ discoverable, enabled, isProtected }: Feed): boolean {
  return discoverable && enabled && !isProtected;
}

/** Option with the site address of the previous start. */
const OPTION = 'podcast-address';

/** Private-use character, which stored texts don't contain. */
const MARKER = '\uE000';

/**
 * Rewrites stored addresses of the site in chapters, covers and images if the site has moved since the previous start.
 */
export async function rewriteSiteAddresses({ store, publicUrl }: OriginContext): Promise<void> {
  await retryTransaction(store.db, async (tx) => {
    const stored = await tx
      .select()
      .from(option)
      .where(inArray(option.name, [SITE_OPTION, OPTION]));
    const addresses = stored.map(({ value }) => (value as { url?: string }).url ?? '');
    const former = [...new Set(addresses)].filter((address) => address !== '' && address !== publicUrl);
    if (former.length === 0) return;
    // Longest first: an address can be a prefix of another.
    const addressesToReplace = [publicUrl, ...former].toSorted((one, other) => other.length - one.length);
    /** Returns the row with the current addresses; undefined if it has no former ones. */
    const relocate = <T>(row: T): T | undefined => {
      const before = JSON.stringify(row);
      const marked = addressesToReplace.reduce((text, from) => replaceSiteUrl(text, from, MARKER), before);
      const after = marked.replaceAll(MARKER, publicUrl);
      return after === before ? undefined : (JSON.parse(after) as T);
    };

    const [record] = await tx.select().from(option).where(eq(option.name, PODCAST_OPTION)).for('update');
    const relocatedRecord = record && relocate(record);
    if (relocatedRecord) await tx.update(option).set(relocatedRecord).where(eq(option.name, PODCAST_OPTION));
    for (const { id, image } of await tx.select().from(podcastShow)) {
      const relocated = relocate({ image });
      if (relocated) await tx.update(podcastShow).set(relocated).where(eq(podcastShow.id, id));
    }
    const { id: episodeId, poster, chapters } = podcastEpisode;
    for (const { id, ...before } of await tx.select({ id: episodeId, poster, chapters }).from(podcastEpisode)) {
      const relocated = relocate(before);
      if (relocated) await tx.update(podcastEpisode).set(relocated).where(eq(podcastEpisode.id, id));
    }

    const value = { url: publicUrl };
    await tx.insert(option).values({ name: OPTION, value }).onConflictDoUpdate({ target: option.name, set: { value } });
  });
}
