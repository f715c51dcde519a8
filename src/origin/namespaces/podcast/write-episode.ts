import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import {
  episodePageRoutes,
  type createEpisode,
  type deleteEpisode,
  type EpisodeBody,
  type updateEpisode,
  type updateEpisodeV1,
} from '#contracts/podcast/index.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { filterWritten } from '#origin/platform/content/writing/check-writing.ts';
import { addContent } from '#origin/platform/content/writing/create-content.ts';
import { deleteContent } from '#origin/platform/content/writing/delete-content.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import {
  created,
  invalidParameters,
  item,
  refuser,
  RestError,
  type AnswerOf,
  type AnyCall,
  type Call,
} from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { changeEpisode } from './change-episode.ts';
import { episodePages } from './episode-pages.ts';
import { loadEpisode, type EpisodeCall, type EpisodeRow } from './find-episode.ts';
import { findFilesOfSlug } from './media/find-files.ts';
import { findShow } from './shows.ts';
import { orNull, podcastEpisode, sentOnly } from './tables.ts';

/** Title of an episode that nobody has named yet; a page without any text can't be stored. */
const PLACEHOLDER = 'New episode';

export function permitEpisodeCreation({ caller, refuse }: AnyCall): void {
  if (!can(caller, episodePages.rights.edit)) throw refuse('rest_forbidden', 'You may not add episodes.');
}

/** Adds an empty episode with a draft of its page. */
export async function addEpisode(call: Call<typeof createEpisode>): Promise<AnswerOf<typeof createEpisode>> {
  const { context, caller, addresses } = call;
  const scope = {
    kind: episodePages,
    kinds: context.kinds,
    followers: context.followers,
    caller,
    site: await loadSite(call),
    publicUrl: addresses.site,
    refuse: refuser(episodePageRoutes.create.errors, caller),
  };
  const id = await writeContent(context.store.db, async (tx, now) => {
    const { row } = await addContent(tx, { title: PLACEHOLDER, status: 'draft' }, { ...scope, now });
    const [episode] = await tx
      .select({ id: podcastEpisode.id })
      .from(podcastEpisode)
      .where(eq(podcastEpisode.contentId, row.id));
    if (!episode) throw new Error('The page that was added has no episode.');
    return episode.id;
  });
  const location = `podcast/v2/episodes/${id}`;
  return created({ message: `The episode ${id} was added.`, location, id }, location);
}

/** Writes what was sent of an episode; the rest stays as it is. */
export async function writeEpisode(call: Call<typeof updateEpisode>): Promise<AnswerOf<typeof updateEpisode>> {
  const { body } = call;
  const { title } = await filterWritten({ title: body.title }, call.caller);
  const showId = body.show === undefined ? undefined : await readShow(call, body.show);
  const { episode: before } = await loadEpisode(call);
  const { episode } = await changeEpisode(call, async (found, tx) => {
    if (body.guid !== undefined && body.guid !== found.episode.guid) await refuseTakenGuid(tx, body.guid);
    return {
      episode: { ...valuesOf({ ...body, title }, found.episode), ...(showId === undefined ? {} : { showId }) },
      page: title === undefined ? {} : { title: title.trim() },
    };
  });
  if (episode.slug !== before.slug && body.skip_validation !== true) await findFilesOfSlug(call);
  return item({ status: 'ok' });
}

/** Writes what was sent of the soundbite, as version 1 does. */
export async function writeEpisodeV1(call: Call<typeof updateEpisodeV1>): Promise<AnswerOf<typeof updateEpisodeV1>> {
  await changeEpisode(call, ({ episode }) => ({ episode: valuesOf(call.body, episode) }));
  return item(null);
}

/** What columns become of a body. */
function valuesOf(body: Partial<EpisodeBody>, before: EpisodeRow): Partial<EpisodeRow> {
  const { ext_webhook_config: webhook, recording_date: recorded } = body;
  return sentOnly<EpisodeRow>({
    guid: body.guid,
    title: orNull(body.title),
    subtitle: orNull(body.subtitle),
    summary: orNull(body.summary),
    number: body.number,
    season: body.season,
    slug: before.slugFrozen ? undefined : orNull(body.slug),
    duration: body.duration,
    type: body.type,
    poster: orNull(body.episode_poster ?? body.cover),
    explicit: body.explicit,
    soundbiteStart: body.soundbite_start,
    soundbiteDuration: body.soundbite_duration,
    soundbiteTitle: orNull(body.soundbite_title),
    recordingDate: recorded === undefined ? undefined : fullDate(recorded),
    licenseName: orNull(body.license_name),
    licenseUrl: orNull(body.license_url),
    productionId: orNull(body.ext_production_id),
    isProductionRunning: body.is_ext_production_running,
    timingMaps: body.ext_chapter_timing_maps,
    ...(webhook ? { productionKeyHash: hashKey(webhook.authkey), publishesWhenProduced: webhook.enabled } : {}),
  });
}

/** A day as it is kept, with a time: `2026-01-05 00:00:00`. */
function fullDate(text: string): string | null {
  if (text === '') return null;
  const [day = '', time = ''] = text.split(/[ T]/);
  return `${day} ${[...time.split(':').filter((part) => part !== ''), '00', '00', '00'].slice(0, 3).join(':')}`;
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Apps show one episode of those that share a guid: anybody's would hide the other. */
async function refuseTakenGuid(tx: Transaction, guid: string): Promise<void> {
  const [other] = await tx.select({ id: podcastEpisode.id }).from(podcastEpisode).where(eq(podcastEpisode.guid, guid));
  if (!other) return;
  const text = `The episode ${other.id} has the guid "${guid}" already: send another one, or none.`;
  throw invalidParameters([{ name: 'guid', text }]);
}

/** The id of a show by its slug; null for the empty text. */
async function readShow(call: EpisodeCall, slug: string): Promise<number | null> {
  if (slug === '') return null;
  const show = await findShow(call, slug);
  if (show) return show.id;
  throw invalidParameters([{ name: 'show', text: `There is no show with the slug "${slug}". Add it, or send "".` }]);
}

/** Moves the page to the trash. What is there already stays there. */
export async function trashEpisode(call: Call<typeof deleteEpisode>): Promise<AnswerOf<typeof deleteEpisode>> {
  const { page } = await loadEpisode(call);
  if (page.status !== 'trash') {
    const deletion = { params: { id: page.id }, query: { force: false } };
    const refuse = refuser(episodePageRoutes.remove.errors, call.caller);
    await deleteContent({ ...call, ...deletion, refuse }, episodePages, episodePages.present).catch(unlessTrashed);
  }
  return item({ status: 'ok' });
}

/** Another request may have trashed it first. */
function unlessTrashed(error: unknown): void {
  if (!(error instanceof RestError) || error.code !== 'rest_already_trashed') throw error;
}
