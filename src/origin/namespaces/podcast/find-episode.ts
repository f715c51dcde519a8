import { eq, and, inArray, max, ne, type SQL } from 'drizzle-orm';
import { canDelete, canEdit, canRead, type RightsRow } from '#origin/platform/content/content-rights.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Caller } from '#origin/platform/http/callers/caller.ts';
import { type AnyCall, presentFields } from '#origin/platform/http/transport/call.ts';
import type { RestError } from '#origin/platform/http/transport/rest-error.ts';
import { type ContentRow, POST_RIGHTS, KIND_DEFAULTS, TAG } from '#origin/platform/registry/content-kind.ts';
import { podcastEpisode, podcastDownload, podcastMediaFile } from './tables.ts';
import { randomUUID } from 'node:crypto';
import {
  EPISODE_PAGE_META_KEYS,
  displayTitle,
  EPISODE_PAGE_TYPE,
  episodePage,
  episodePageRoutes,
} from '#contracts/podcast/episode-routes.ts';
import { matchesTerms, selectsTerms } from '#origin/platform/content/find-content.ts';
import { getContentUrl } from '#origin/platform/content/content-url.ts';
import { commonFields } from '#origin/platform/content/present-content.ts';
import type { ServedKind } from '#origin/platform/content/serve-content.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { EPISODE_FILES_FOLDER } from './media/list-files.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import type { PodcastRecord } from './podcast-record.ts';

export type EpisodeRow = typeof podcastEpisode.$inferSelect;

/** An episode and its page, which have different IDs. */
export type EpisodeWithPage = Awaited<ReturnType<typeof selectEpisodes>>[number];

/** Request to a route below an episode. */
export type EpisodeRequest = AnyCall<'rest_not_found'> & { params: { id: number } };

/** Key of the episode in the memo of a call. */
export const EPISODE_MEMO = 'episode';

/** Finds the episode of a call, loaded once for authorization and response. */
export function findEpisode(
  { context, memo }: Pick<AnyCall, 'context' | 'memo'>,
  where: SQL,
): Promise<EpisodeWithPage | undefined> {
  return memo.once(EPISODE_MEMO, async () => (await selectEpisodes(context.store.db).where(where))[0]);
}

/** Selects episodes with their pages. */
export function selectEpisodes(db: Database) {
  return db
    .select({ episode: podcastEpisode, page: content })
    .from(podcastEpisode)
    .innerJoin(content, eq(content.id, podcastEpisode.contentId));
}

/** Matches published pages of episodes without a password. */
export const isPublicEpisode = and(
  eq(content.type, EPISODE_PAGE_TYPE),
  eq(content.status, 'publish'),
  eq(content.password, ''),
);

/** Returns the episode of the request path. @throws `rest_not_found` */
export async function loadEpisode(call: EpisodeRequest): Promise<EpisodeWithPage> {
  const found = await findEpisode(call, eq(podcastEpisode.id, call.params.id));
  if (!found) throw createNotFoundError(call);
  return found;
}

/** Limits password-protected episodes to editors, as podcast routes accept no password. */
export function canReadEpisode(page: RightsRow & Pick<ContentRow, 'password'>, caller: Caller): boolean {
  return page.password === '' ? canRead(page, caller) : canEdit(page, caller);
}

/** Throws "not found" for anonymous callers, so that they can't detect unpublished episodes. */
export async function authorizeEpisodeRead(call: EpisodeRequest): Promise<void> {
  const { page } = await loadEpisode(call);
  if (canReadEpisode(page, call.caller)) return;
  throw call.caller.user
    ? call.refuse('rest_forbidden', 'You are not allowed to read this episode.')
    : createNotFoundError(call);
}

export async function authorizeEpisodeWrite(call: EpisodeRequest): Promise<void> {
  const { page } = await loadEpisode(call);
  if (!canEdit(page, call.caller)) throw call.refuse('rest_forbidden', 'You are not allowed to edit this episode.');
}

export async function authorizeEpisodeDelete(call: EpisodeRequest): Promise<void> {
  const { page } = await loadEpisode(call);
  if (!canDelete(page, call.caller)) throw call.refuse('rest_forbidden', 'You are not allowed to delete this episode.');
}

function createNotFoundError({ params, refuse }: EpisodeRequest): RestError {
  return refuse('rest_not_found', `There is no episode with the id ${params.id}.`);
}

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
  describe: loadSummaries,
  metaKeys: EPISODE_PAGE_META_KEYS,
  terms: [TAG],
  rights: POST_RIGHTS,
  routes: episodePageRoutes,
  present: async (row, view) =>
    presentFields(
      episodePage,
      {
        ...(await commonFields(row, view)),
        link: linkEpisode(row, view.call.context),
        meta: Object.fromEntries(EPISODE_PAGE_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
        tags: (view.related.get(row.id)?.terms ?? []).map(({ id }) => id),
      },
      view,
    ),
  async list({ query, context }) {
    const terms = { included: [query.tags], excluded: [query.tags_exclude], relation: query.tax_relation };
    return { where: await matchesTerms(context.store.db, terms), isMixed: selectsTerms(query.tags) };
  },
  save: ensureEpisode,
  remove: removeEpisode,
};

/** Returns the address of an episode's page; a trashed page is addressed by its slug in the trash. */
export function linkEpisode(page: ContentRow, { publicUrl: site, kinds }: OriginContext): string {
  return page.status === 'trash' ? `${site}/${page.slug}/` : getContentUrl(page, { site, kinds }, new Map());
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
  // Ignores the trash. Pages are written one at a time, so numbers never collide.
  const [found] = await tx
    .select({ highest: max(podcastEpisode.number) })
    .from(podcastEpisode)
    .innerJoin(content, and(eq(content.id, podcastEpisode.contentId), ne(content.status, 'trash')));
  const number = (found?.highest ?? 0) + 1;
  await tx.insert(podcastEpisode).values({ contentId: page.id, guid: randomUUID(), number });
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

interface TitleSource {
  episode: { title: string | null; number: number | null };
  page: Pick<ContentRow, 'title' | 'status' | 'password'>;
}

/** Returns the title for lists and pages, as HTML. */
export function episodeTitle({ episode, page }: TitleSource, record: PodcastRecord): string {
  const prefix = page.password !== '' ? 'Protected: ' : page.status === 'private' ? 'Private: ' : '';
  return texturise(prefix + plainEpisodeTitle({ episode, page }, record));
}

/** Returns the title as entered, without a visibility prefix. */
export function plainEpisodeTitle({ episode, page }: TitleSource, record: PodcastRecord) {
  const names = {
    pageTitle: page.title,
    cleanTitle: episode.title ?? undefined,
    number: episode.number ?? undefined,
    podcastMnemonic: record.mnemonic ?? undefined,
  };
  return displayTitle(names, record.has_generated_titles);
}
