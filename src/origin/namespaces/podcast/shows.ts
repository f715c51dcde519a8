import { and, asc, eq, inArray, ne, type SQL } from 'drizzle-orm';
import * as routes from '#contracts/podcast/record.ts';
import { podcastGuid } from '#contracts/podcast/feed-document.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { insertRow, writeContent } from '#origin/platform/content/resources/resource.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { created, item, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { invalidParameters } from '#origin/platform/http/transport/rest-error.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import {
  authorizePodcastWrite,
  feedAddress,
  loadFeeds,
  loadPodcastRecord,
  type PodcastRecord,
} from './podcast-record.ts';
import { emptyToNull, podcastEpisode, podcastShow, omitUndefined } from './tables.ts';

export type ShowRow = typeof podcastShow.$inferSelect;

/** `what` of events about shows. */
export const SHOW_EVENT = 'podcast-show';

export async function findShow({ context }: Pick<AnyCall, 'context'>, where: SQL): Promise<ShowRow | undefined> {
  const [show] = await context.store.db.select().from(podcastShow).where(where);
  return show;
}

/** Finds the show of an episode. */
export async function findEpisodeShow(
  call: Pick<AnyCall, 'context'>,
  { showId }: { showId: number | null },
): Promise<ShowRow | undefined> {
  return showId === null ? undefined : findShow(call, eq(podcastShow.id, showId));
}

export function serveShows(registry: RouteRegistry): void {
  const write = registry.with({ permit: authorizePodcastWrite });
  registry.serve(routes.listPodcastShows, async (call) => {
    const record = await loadPodcastRecord(call);
    const { db } = call.context.store;
    const shows = await db.select().from(podcastShow).orderBy(asc(podcastShow.title), asc(podcastShow.id));
    return item({ _version: 'v2', results: shows.map((show) => presentShow(show, record)) });
  });
  write(routes.createPodcastShow, async (call) => {
    const { body, context, addresses } = call;
    // Creates the podcast and its default feed on first use.
    const record = await loadPodcastRecord(call);
    const title = body.title ?? '';
    if (title.trim() === '') throw invalidParameters([{ name: 'title', text: 'title must not be empty.' }]);
    const show = await writeContent(context.store.db, async (tx) => {
      const slug = body.slug ?? createSlug(title);
      await rejectTakenSlug(tx, slug);
      const [feed] = await loadFeeds(tx);
      const guid = body.guid ?? podcastGuid(feedAddress(context, feed?.slug ?? '', slug));
      const values = { ...toShowColumns(body), title, slug, guid };
      const added = await insertRow(tx, podcastShow, values);
      await announce(tx, { what: SHOW_EVENT, id: String(added.id), action: 'created' });
      return added;
    });
    return created(presentShow(show, record), addresses.rest(`podcast/v2/shows/${show.id}`));
  });
  registry.serve(routes.getPodcastShow, async (call) => {
    const show = await findShow(call, eq(podcastShow.id, call.params.id));
    if (!show) throw createNotFoundError(call);
    return item(presentShow(show, await loadPodcastRecord(call)));
  });
  write(routes.updatePodcastShow, async (call) => {
    const { id } = call.params;
    const { timezone } = await loadSite(call);
    const values = toShowColumns(call.body);
    const show = await writeContent(call.context.store.db, async (tx) => {
      const [before] = await tx.select().from(podcastShow).where(eq(podcastShow.id, id)).for('update');
      if (!before) throw createNotFoundError(call);
      if (Object.keys(values).length === 0) return before;
      if (values.slug !== undefined && values.slug !== before.slug) {
        await rejectTakenSlug(tx, values.slug, id);
        await touchEpisodes(tx, id, timezone);
      }
      await tx.update(podcastShow).set(values).where(eq(podcastShow.id, id));
      await announce(tx, { what: SHOW_EVENT, id: String(id), action: 'updated' });
      return { ...before, ...values };
    });
    return item(presentShow(show, await loadPodcastRecord(call)));
  });
  write(routes.deletePodcastShow, async (call) => {
    const { id } = call.params;
    const { timezone } = await loadSite(call);
    await writeContent(call.context.store.db, async (tx) => {
      await touchEpisodes(tx, id, timezone);
      await tx.update(podcastEpisode).set({ showId: null }).where(eq(podcastEpisode.showId, id));
      const [deleted] = await tx.delete(podcastShow).where(eq(podcastShow.id, id)).returning();
      if (!deleted) throw createNotFoundError(call);
      await announce(tx, { what: SHOW_EVENT, id: String(id), action: 'deleted' });
    });
    return item({ status: 'ok' });
  });
}

/** Updates the modification date of the show's episode pages, as their responses contain its slug. */
async function touchEpisodes(tx: Transaction, showId: number, timeZone: string): Promise<void> {
  const pages = tx
    .select({ id: podcastEpisode.contentId })
    .from(podcastEpisode)
    .where(eq(podcastEpisode.showId, showId));
  const now = new Date();
  await tx
    .update(content)
    .set({ modified: toSiteTime(now, timeZone), modifiedGmt: toSiteTime(now, 'UTC') })
    .where(inArray(content.id, pages));
}

/** Returns a slug of letters, digits and dashes; "show" if the title contains none. */
function createSlug(title: string): string {
  const words = normaliseSlug(title)
    .replaceAll(/%[\da-f]{2}|_/g, '-')
    .split('-');
  return words.filter((word) => word !== '').join('-') || 'show';
}

async function rejectTakenSlug(tx: Transaction, slug: string, except = 0): Promise<void> {
  const [other] = await tx
    .select({ title: podcastShow.title })
    .from(podcastShow)
    .where(and(eq(podcastShow.slug, slug), ne(podcastShow.id, except)));
  if (!other) return;
  const text = `The slug "${slug}" is already used by the show "${other.title}". Send another slug.`;
  throw invalidParameters([{ name: 'slug', text }]);
}

function createNotFoundError({ params, refuse }: AnyCall<'rest_not_found'> & { params: { id: number } }) {
  return refuse('rest_not_found', `There is no show with the id ${params.id}.`);
}

function presentShow(show: ShowRow, record: PodcastRecord): routes.PodcastShow {
  return {
    id: show.id,
    slug: show.slug,
    guid: show.guid,
    title: show.title,
    subtitle: show.subtitle,
    summary: show.summary,
    language: show.language,
    image: show.image,
    category: routes.displayCategory(show.category ?? undefined),
    author_name: show.authorName,
    podcast_email: show.email,
    explicit: show.explicit ?? record.explicit,
    copyright: show.copyright,
    funding_url: show.fundingUrl,
    funding_label: show.fundingLabel,
    license_name: show.licenseName,
    license_url: show.licenseUrl,
    itunes_type: show.itunesType,
  };
}

/** Maps a request body, or the show of another site, to columns. Missing fields are omitted, empty strings become null. */
export function toShowColumns(body: routes.PodcastShowBody | routes.PodcastShow): Partial<ShowRow> {
  return omitUndefined<ShowRow>({
    slug: body.slug,
    guid: body.guid,
    title: body.title,
    subtitle: emptyToNull(body.subtitle),
    summary: emptyToNull(body.summary),
    language: emptyToNull(body.language),
    image: emptyToNull(body.image),
    category: emptyToNull(body.category),
    authorName: emptyToNull(body.author_name),
    email: emptyToNull(body.podcast_email),
    explicit: body.explicit,
    copyright: emptyToNull(body.copyright),
    fundingUrl: emptyToNull(body.funding_url),
    fundingLabel: emptyToNull(body.funding_label),
    licenseName: emptyToNull(body.license_name),
    licenseUrl: emptyToNull(body.license_url),
    itunesType: body.itunes_type,
  });
}
