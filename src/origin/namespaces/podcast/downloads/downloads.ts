import { hash, randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { and, eq, lt, desc, inArray, sql, type SQL } from 'drizzle-orm';
import type { MiddlewareHandler } from 'hono';
import { addTrackingParams, parseTrackedPath, type TrackedFile } from '#contracts/podcast/media-names.ts';
import { getClientAddress, getClientNetwork } from '#origin/platform/context/client-address.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { item, requireRight, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import { isPublicEpisode } from '../find-episode.ts';
import { loadAssets, locateMediaFile } from '../media/list-files.ts';
import { loadPodcastRecord } from '../podcast-record.ts';
import { podcastDownload, podcastEpisode, podcastMediaFile, podcastSalt } from '../tables.ts';
import * as contract from '#contracts/podcast/analytics.ts';
import { fromSiteTime } from '#contracts/site-clock.ts';
import { episodePageRoutes, EPISODE_PAGE_TYPE } from '#contracts/podcast/episode-routes.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ResponseFormat } from '#origin/platform/namespace/namespace-module.ts';

const HOUR_MS = 3_600_000;

/** User agents of bots. `Cubot` is a brand of phones. */
const ROBOTS =
  /(?<!cu)bot\b|bot[/;)_-]|crawl|spider|slurp|scrape|scan(?:ner)?\b|monitor|preview|facebookexternalhit|headless|lighthouse|validator|^(?:curl|wget|python|java|go-http|node|undici|okhttp\/?[\d.]*$|libwww|ruby|perl|php)/i;

const MAX_AGENT_LENGTH = 300;
/** Maximum downloads counted per IP address and hour. Listeners can share an address, but none may flood the store. */
const MAX_PER_ADDRESS = 500;
/** Maximum IP addresses tracked per hour. */
const MAX_ADDRESSES = 100_000;

/**
 * Redirects the public address of a file to its location and counts the download, once per listener, file and hour.
 * Listeners are identified by a hash whose salt is discarded daily.
 */
export function trackDownloads(context: OriginContext): MiddlewareHandler {
  const tryCount = createAddressLimiter();
  return async (c, next) => {
    const tracked = parseTrackedPath(new URL(c.req.url).pathname);
    if (!tracked) return next();
    const found = await findFile(context, tracked);
    if (!found) return c.notFound();
    const agent = c.req.header('user-agent') ?? '';
    const isListener = agent.trim() !== '' && !ROBOTS.test(agent.slice(0, MAX_AGENT_LENGTH));
    if (c.req.method === 'GET' && isListener && isDownloadStart(c.req.header('range'))) {
      const incoming = (c.env as Partial<HttpBindings> | undefined)?.incoming;
      const address = getClientAddress(incoming, c.req.raw.headers, context.trustedProxies);
      if (tryCount(getClientNetwork(address))) await count(context, tracked, found.episodeId, { address, agent });
    }
    return new Response(null, {
      status: 301,
      // Not cacheable: each download must reach the counter.
      headers: { Location: addTrackingParams(found.address, tracked), 'Cache-Control': 'no-store' },
    });
  };
}

/** Finds an enabled file of a published episode. */
async function findFile(context: OriginContext, { id }: TrackedFile) {
  const { db } = context.store;
  const [found] = await db
    .select({ assetId: podcastMediaFile.assetId, episodeId: podcastEpisode.id, slug: podcastEpisode.slug })
    .from(podcastMediaFile)
    .innerJoin(podcastEpisode, eq(podcastEpisode.id, podcastMediaFile.episodeId))
    .innerJoin(content, eq(content.id, podcastEpisode.contentId))
    .where(and(eq(podcastMediaFile.id, id), eq(podcastMediaFile.active, true), isPublicEpisode));
  const asset = found && (await loadAssets(db)).find((one) => one.id === found.assetId);
  if (!asset) return undefined;
  const location = locateMediaFile(context, await loadPodcastRecord({ context }), found.slug, asset);
  return location && { address: location.address, episodeId: found.episodeId };
}

/** True for the start of a download. Apps also probe the first two bytes, and fetch later ranges while playing. */
function isDownloadStart(range: string | undefined): boolean {
  if (range === undefined) return true;
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range.trim()) ?? [];
  return first !== undefined && Number(first) === 0 && (last === '' || Number(last) > 1);
}

async function count(
  { store, log }: Pick<OriginContext, 'store' | 'log'>,
  { id, source, context = '' }: TrackedFile,
  episodeId: number,
  { address, agent }: { address: string; agent: string },
): Promise<void> {
  const now = new Date();
  try {
    const salt = await loadSalt(store.db, now.toISOString().slice(0, 10));
    const identity = JSON.stringify([salt, address, agent.slice(0, MAX_AGENT_LENGTH)]);
    const listener = hash('sha256', identity).slice(0, 32);
    const at = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
    const sourceContext = /^[\w-]{1,60}$/.test(context) ? context : '';
    await store.db
      .insert(podcastDownload)
      .values({ fileId: id, episodeId, at, listener, source, context: sourceContext })
      .onConflictDoNothing();
  } catch (error) {
    // The redirect works even if the store is not writable.
    log(`A download was not counted: ${error instanceof Error ? error.name : 'unknown'}.`);
  }
}

/** Returns the salt of a day, shared by all processes of a store. Deletes salts of other days. */
async function loadSalt(db: Database, day: string): Promise<string> {
  const find = () => db.select().from(podcastSalt).where(eq(podcastSalt.day, day));
  const [stored] = await find();
  if (stored) return stored.salt;
  const salt = randomBytes(16).toString('hex');
  await db.insert(podcastSalt).values({ day, salt }).onConflictDoNothing();
  await db.delete(podcastSalt).where(lt(podcastSalt.day, day));
  return (await find())[0]?.salt ?? salt;
}

/** Limits the counted downloads per address and hour. Addresses are only held in memory. */
function createAddressLimiter(): (address: string) => boolean {
  const counts = new Map<string, number>();
  let hour = 0;
  return (address) => {
    const now = Math.floor(Date.now() / HOUR_MS);
    if (now !== hour) counts.clear();
    hour = now;
    const before = counts.get(address) ?? 0;
    if (before >= MAX_PER_ADDRESS || (before === 0 && counts.size >= MAX_ADDRESSES)) return false;
    counts.set(address, before + 1);
    return true;
  };
}

const WINDOWS = Object.entries(contract.DOWNLOAD_WINDOWS) as [contract.DownloadWindow, number][];

const routes = [contract.analyticsV1, contract.analyticsV2];

/** Serves download counts to users who publish episodes. */
export function serveAnalytics(registry: RouteRegistry): void {
  // Not cached: each download changes the counts.
  const permit = requireRight(
    'publish_posts',
    'rest_forbidden',
    'Only users who publish episodes may read download counts.',
  );
  const serve = registry.with({ permit, isKept: false });
  for (const { list, get, choose } of routes) {
    serve(list, async (call) => item(await listDownloads(call)));
    serve(get, async (call) => {
      const [found] = await listDownloads(call, [call.params.id]);
      if (!found) throw call.refuse('rest_not_found', `No published episode has the page ${call.params.id}.`);
      return item(found);
    });
    serve(choose, async (call) => item(await listDownloads(call, readIds(call.params.ids))));
  }
}

/** Converters of response formats: `?format=csv` returns a table. */
export const analyticsForms: Readonly<Record<string, ResponseFormat>> = Object.fromEntries(
  routes.flatMap(({ list, get, choose }) => [list, get, choose].map(({ path }) => [path, toCsv])),
);

/** Maximum number of page IDs per request. */
const MAX_IDS = 1000;

function readIds(ids: string): number[] {
  return ids
    .split(',')
    .filter((id) => /^\d{1,15}$/.test(id))
    .slice(0, MAX_IDS)
    .map(Number);
}

/** Lists download counts of published episodes, newest first. `pageIds` limits the list to these pages. */
async function listDownloads(call: AnyCall, pageIds?: readonly number[]): Promise<contract.EpisodeDownloads[]> {
  const rows = await call.context.store.db
    .select({
      id: podcastEpisode.id,
      page: { id: content.id, title: content.title, date: content.date, dateGmt: content.dateGmt },
    })
    .from(podcastEpisode)
    .innerJoin(content, eq(content.id, podcastEpisode.contentId))
    .where(
      and(
        eq(content.type, EPISODE_PAGE_TYPE),
        eq(content.status, 'publish'),
        pageIds && inArray(content.id, [...pageIds]),
      ),
    )
    .orderBy(desc(content.date), desc(content.id));
  const ids = rows.map(({ id }) => id);
  const counts = ids.length === 0 ? undefined : await countDownloads(call, ids);
  const { rest } = call.addresses;
  return rows.map(({ id, page }) => {
    const gmt = page.dateGmt ?? page.date;
    const hours = Math.max(0, Math.floor((Date.now() - fromSiteTime(gmt, 'UTC').getTime()) / HOUR_MS));
    const counted = counts?.get(id);
    const windows = WINDOWS.map(([name, length]) => [name, hours >= length ? (counted?.[name] ?? '') : '']);
    return {
      title: page.title,
      id,
      post_id: page.id,
      post_date: page.date.slice(0, 19),
      post_date_gmt: gmt.slice(0, 19),
      days_since_release: Math.floor(hours / 24),
      hours_since_release: hours,
      downloads: counted?.total ?? '',
      ...(Object.fromEntries(windows) as Record<contract.DownloadWindow, number | ''>),
      _links: {
        // Version 2 links to version 1, too.
        self: rest(`podcast/v1/analytics/episodes/${page.id}`),
        'podcast:episode': rest(`${episodePageRoutes.list.path}/${page.id}`),
      },
    };
  });
}

/** Counts downloads since release by episode ID and time window, in one statement. */
async function countDownloads({ context }: AnyCall, episodeIds: readonly number[]) {
  const released = sql`${content.dateGmt} at time zone 'UTC'`;
  const countWithin = ([name, hours]: [contract.DownloadWindow, number]): [contract.DownloadWindow, SQL<number>] => [
    name,
    sql<number>`count(*) filter (where ${podcastDownload.at} < ${released} + make_interval(hours => ${hours}))`.mapWith(
      Number,
    ),
  ];
  const windows = Object.fromEntries(WINDOWS.map(countWithin)) as Record<contract.DownloadWindow, SQL<number>>;
  const rows = await context.store.db
    .select({ episodeId: podcastDownload.episodeId, total: sql<number>`count(*)`.mapWith(Number), ...windows })
    .from(podcastDownload)
    .innerJoin(podcastEpisode, eq(podcastEpisode.id, podcastDownload.episodeId))
    .innerJoin(content, eq(content.id, podcastEpisode.contentId))
    .where(inArray(podcastDownload.episodeId, [...episodeIds]))
    .groupBy(podcastDownload.episodeId);
  return new Map(rows.map(({ episodeId, ...counts }) => [episodeId, counts]));
}

const { _links, ...columns } = contract.episodeDownloads.shape;
const COLUMNS = Object.keys(columns);

async function toCsv(response: Response, { url }: Request): Promise<Response> {
  if (response.status !== 200 || new URL(url).searchParams.get('format') !== 'csv') return response;
  const text = await response.text();
  // HEAD has no body.
  const parsed: unknown = text === '' ? [] : JSON.parse(text);
  const rows = [parsed].flat().map((row) => COLUMNS.map((name) => formatCell((row as Record<string, unknown>)[name])));
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'text/csv; charset=UTF-8');
  // A file download, not an API resource.
  headers.delete('Allow');
  headers.set('Content-Disposition', 'attachment; filename="episodes.csv"');
  const table = [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
  return new Response(text === '' ? null : table, { status: 200, headers });
}

/** Formats a CSV value (RFC 4180). An apostrophe prevents spreadsheets from running it as a formula. */
function formatCell(value: unknown): string {
  const text = String(value ?? '');
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
