import { randomUUID } from 'node:crypto';
import { and, eq, inArray, max, ne } from 'drizzle-orm';
import { EPISODE_PAGE_META_KEYS, EPISODE_PAGE_TYPE, episodePage, episodePageRoutes } from '#contracts/podcast/index.ts';
import { termClauses } from '#origin/platform/content/find-content.ts';
import { getContentUrl } from '#origin/platform/content/content-url.ts';
import { commonFields } from '#origin/platform/content/present-content.ts';
import type { ServedKind } from '#origin/platform/content/serve-content.ts';
import { presentTexts } from '#origin/platform/http/present-fields.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { POST_RIGHTS, KIND_DEFAULTS, type ContentRow, TAG } from '#origin/platform/registry/content-kind.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { EPISODE_FILES_FOLDER } from './media/assets.ts';
import { podcastDownload, podcastEpisode, podcastMediaFile } from './tables.ts';

/** Pages of episodes: their status, date, author, password, text and tags. */
export const episodePages: ServedKind<typeof episodePageRoutes> = {
  ...KIND_DEFAULTS,
  type: EPISODE_PAGE_TYPE,
  base: episodePageRoutes.list.path,
  name: 'Episodes',
  icon: 'dashicons-microphone',
  // Addresses without a slug contain the content type.
  idParameter: `post_type=${EPISODE_PAGE_TYPE}&p`,
  uploadFolder: EPISODE_FILES_FOLDER,
  archive: 'podcast',
  describe: (db, ids) => loadSummaries(db, ids),
  metaKeys: EPISODE_PAGE_META_KEYS,
  terms: [TAG],
  rights: POST_RIGHTS,
  routes: episodePageRoutes,
  present: (row, view) =>
    presentTexts(
      episodePage,
      {
        ...commonFields(row, view),
        link: () => linkEpisode(row, view.call),
        meta: () => Object.fromEntries(EPISODE_PAGE_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
        tags: () => (view.terms.get(row.id) ?? []).map(({ id }) => id),
      },
      view,
    ),
  async list({ query, context }) {
    const { db } = context.store;
    return {
      filter: {
        terms: await termClauses(db, [query.tags], [query.tags_exclude]),
        termRelation: query.tax_relation ?? 'AND',
      },
    };
  },
  save: (tx, page) => ensureEpisode(tx, page),
  remove: (tx, page) => removeEpisode(tx, page),
};

/** Returns the address of an episode's page; a trashed page is addressed by its slug in the trash. */
export function linkEpisode(page: ContentRow, { addresses, context }: Pick<AnyCall, 'addresses' | 'context'>): string {
  if (page.status === 'trash') return `${addresses.site}/${page.slug}/`;
  return getContentUrl(page, { site: addresses.site, kinds: context.kinds }, new Map());
}

/** Loads summaries of episodes by page ID. */
async function loadSummaries(db: Pick<Database, 'select'>, ids: readonly number[]): Promise<Map<number, string>> {
  const { contentId, summary } = podcastEpisode;
  const rows = await db
    .select({ contentId, summary })
    .from(podcastEpisode)
    .where(inArray(contentId, [...ids]));
  return new Map(rows.map((row) => [row.contentId, row.summary ?? '']));
}

/** Creates the episode of a page that has none, with the next number. */
async function ensureEpisode(tx: Transaction, page: ContentRow): Promise<void> {
  const [known] = await tx
    .select({ id: podcastEpisode.id })
    .from(podcastEpisode)
    .where(eq(podcastEpisode.contentId, page.id));
  if (known) return;
  await tx.insert(podcastEpisode).values({ contentId: page.id, guid: randomUUID(), number: await nextNumber(tx) });
}

/** Returns the next number, ignoring the trash. Pages are written one at a time, so numbers never collide. */
async function nextNumber(tx: Transaction): Promise<number> {
  const [found] = await tx
    .select({ highest: max(podcastEpisode.number) })
    .from(podcastEpisode)
    .innerJoin(content, and(eq(content.id, podcastEpisode.contentId), ne(content.status, 'trash')));
  return (found?.highest ?? 0) + 1;
}

async function removeEpisode(tx: Transaction, page: ContentRow): Promise<void> {
  const removed = await tx
    .delete(podcastEpisode)
    .where(eq(podcastEpisode.contentId, page.id))
    .returning({ id: podcastEpisode.id });
  for (const { id } of removed) {
    await tx.delete(podcastMediaFile).where(eq(podcastMediaFile.episodeId, id));
    await tx.delete(podcastDownload).where(eq(podcastDownload.episodeId, id));
  }
}
