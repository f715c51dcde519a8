import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import {
  episodePageRoutes,
  type createEpisode,
  type deleteEpisode,
  type updateEpisode,
  type updateEpisodeV1,
} from '#contracts/podcast/episode-routes.ts';
import type { EpisodeBody } from '#contracts/podcast/episode.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { filterInput } from '#origin/platform/content/writing/check-writing.ts';
import { addContent } from '#origin/platform/content/writing/create-content.ts';
import { deleteContent } from '#origin/platform/content/writing/delete-content.ts';
import { loadWritingScope } from '#origin/platform/content/writing/plan-content.ts';
import { created, item, requireRight, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import { invalidParameters, errorFactory, RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { changeEpisode } from './change-episode.ts';
import { episodePages, loadEpisode, type EpisodeRequest, type EpisodeRow } from './find-episode.ts';
import { checkEpisodeFiles } from './media/episode-media.ts';
import { findShow } from './shows.ts';
import { emptyToNull, podcastEpisode, omitUndefined } from './tables.ts';

/** Title of a new episode: a page without any text can't be stored. */
const PLACEHOLDER = 'New episode';

export const authorizeEpisodeCreate = requireRight(
  episodePages.rights.edit,
  'rest_forbidden',
  'You are not allowed to add episodes.',
);

/** Creates an empty episode and a draft of its page. */
export async function handleCreateEpisode(call: Call<typeof createEpisode>): Promise<ResultOf<typeof createEpisode>> {
  const refuse = errorFactory(episodePageRoutes.create.errors, call.caller);
  const scope = await loadWritingScope(call, episodePages, refuse);
  const id = await writeContent(call.context.store.db, async (tx, now) => {
    const { row } = await addContent(tx, { title: PLACEHOLDER, status: 'draft' }, { ...scope, now });
    const [episode] = await tx
      .select({ id: podcastEpisode.id })
      .from(podcastEpisode)
      .where(eq(podcastEpisode.contentId, row.id));
    if (!episode) throw new Error('The new page has no episode.');
    return episode.id;
  });
  const location = `podcast/v2/episodes/${id}`;
  return created({ message: `The episode ${id} was added.`, location, id }, location);
}

/** Updates the sent fields of an episode. */
export async function handleUpdateEpisode(call: Call<typeof updateEpisode>): Promise<ResultOf<typeof updateEpisode>> {
  const { body } = call;
  const { title } = await filterInput({ title: body.title }, call.caller);
  const showId = body.show === undefined ? undefined : await findShowId(call, body.show);
  const { episode: before } = await loadEpisode(call);
  const { episode } = await changeEpisode(call, async (found, tx) => {
    if (body.guid !== undefined && body.guid !== found.episode.guid) await rejectTakenGuid(tx, body.guid);
    return {
      episode: { ...toColumns({ ...body, title }, found.episode), ...(showId === undefined ? {} : { showId }) },
      page: title === undefined ? {} : { title: title.trim() },
    };
  });
  if (episode.slug !== before.slug && body.skip_validation !== true) await checkEpisodeFiles(call);
  return item({ status: 'ok' });
}

/** Updates the soundbite of an episode (version 1). */
export async function handleUpdateEpisodeV1(
  call: Call<typeof updateEpisodeV1>,
): Promise<ResultOf<typeof updateEpisodeV1>> {
  await changeEpisode(call, ({ episode }) => ({ episode: toColumns(call.body, episode) }));
  return item(null);
}

/** Maps a request body to columns. Missing fields are omitted, empty strings become null. */
function toColumns(body: Partial<EpisodeBody>, before: EpisodeRow): Partial<EpisodeRow> {
  const { ext_webhook_config: webhook, recording_date: recorded } = body;
  return omitUndefined<EpisodeRow>({
    guid: body.guid,
    title: emptyToNull(body.title),
    subtitle: emptyToNull(body.subtitle),
    summary: emptyToNull(body.summary),
    number: body.number,
    season: body.season,
    slug: before.slugFrozen ? undefined : emptyToNull(body.slug),
    duration: body.duration,
    type: body.type,
    poster: emptyToNull(body.episode_poster ?? body.cover),
    explicit: body.explicit,
    soundbiteStart: body.soundbite_start,
    soundbiteDuration: body.soundbite_duration,
    soundbiteTitle: emptyToNull(body.soundbite_title),
    recordingDate: recorded === undefined ? undefined : completeDate(recorded),
    licenseName: emptyToNull(body.license_name),
    licenseUrl: emptyToNull(body.license_url),
    productionId: emptyToNull(body.ext_production_id),
    isProductionRunning: body.is_ext_production_running,
    timingMaps: body.ext_chapter_timing_maps,
    ...(webhook ? { productionKeyHash: hashKey(webhook.authkey), publishesWhenProduced: webhook.enabled } : {}),
  });
}

/** Completes a date with its time: `2026-01-05 00:00:00`. */
function completeDate(text: string): string | null {
  if (text === '') return null;
  const [day = '', time = ''] = text.split(/[ T]/);
  return `${day} ${[...time.split(':').filter((part) => part !== ''), '00', '00', '00'].slice(0, 3).join(':')}`;
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Rejects the GUID of another episode: apps show only one of the episodes that share a GUID. */
async function rejectTakenGuid(tx: Transaction, guid: string): Promise<void> {
  const [other] = await tx.select({ id: podcastEpisode.id }).from(podcastEpisode).where(eq(podcastEpisode.guid, guid));
  if (!other) return;
  const text = `The guid "${guid}" is already used by episode ${other.id}. Send another one, or none.`;
  throw invalidParameters([{ name: 'guid', text }]);
}

/** Returns the ID of the show with this slug; null for an empty slug. */
async function findShowId(call: EpisodeRequest, slug: string): Promise<number | null> {
  if (slug === '') return null;
  const show = await findShow(call, slug);
  if (show) return show.id;
  throw invalidParameters([{ name: 'show', text: `There is no show with the slug "${slug}". Add it, or send "".` }]);
}

/** Moves the episode's page to the trash, unless it is already there. */
export async function handleDeleteEpisode(call: Call<typeof deleteEpisode>): Promise<ResultOf<typeof deleteEpisode>> {
  const { page } = await loadEpisode(call);
  if (page.status !== 'trash') {
    const deletion = { params: { id: page.id }, query: { force: false } };
    const refuse = errorFactory(episodePageRoutes.remove.errors, call.caller);
    await deleteContent({ ...call, ...deletion, refuse }, episodePages, episodePages.present).catch(
      ignoreAlreadyTrashed,
    );
  }
  return item({ status: 'ok' });
}

/** Ignores the error if a concurrent request trashed the page first. */
function ignoreAlreadyTrashed(error: unknown): void {
  if (!(error instanceof RestError) || error.code !== 'rest_already_trashed') throw error;
}
