import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import {
  analyticsV1,
  analyticsV2,
  DOWNLOAD_WINDOWS,
  episodeDownloads,
  type DownloadWindow,
  type EpisodeDownloads,
} from '#contracts/podcast/analytics.ts';
import { episodePageRoutes, EPISODE_PAGE_TYPE } from '#contracts/podcast/episode-routes.ts';
import { item, requireRight, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ResponseFormat } from '#origin/platform/namespace/namespace-module.ts';
import { content } from '#origin/platform/store/schema.ts';
import { podcastDownload, podcastEpisode } from '../tables.ts';

const HOUR_MS = 3_600_000;
const WINDOWS = Object.entries(DOWNLOAD_WINDOWS) as [DownloadWindow, number][];

const routes = [analyticsV1, analyticsV2];

/** Serves download counts to users who publish episodes. */
export function serveAnalytics(registry: RouteRegistry): void {
  // Not cached: each download changes the counts.
  const permit = requireRight(
    'publish_posts',
    'rest_forbidden',
    'Only users who publish episodes may read download counts.',
  );
  const rules = { permit, isKept: false };
  for (const { list, get, choose } of routes) {
    registry.serve(list, async (call) => item(await listDownloads(call)), rules);
    registry.serve(
      get,
      async (call) => {
        const [found] = await listDownloads(call, [call.params.id]);
        if (!found) throw call.refuse('rest_not_found', `No published episode has the page ${call.params.id}.`);
        return item(found);
      },
      rules,
    );
    registry.serve(choose, async (call) => item(await listDownloads(call, readIds(call.params.ids))), rules);
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
async function listDownloads(call: AnyCall, pageIds?: readonly number[]): Promise<EpisodeDownloads[]> {
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
  const counts = await countDownloads(
    call,
    rows.map(({ id }) => id),
  );
  const { rest } = call.addresses;
  return rows.map(({ id, page }) => {
    const gmt = page.dateGmt ?? page.date;
    const hours = Math.max(
      0,
      Math.floor((Date.now() - Date.parse(`${gmt.slice(0, 19).replace(' ', 'T')}Z`)) / HOUR_MS),
    );
    const counted = counts.get(id);
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
      ...(Object.fromEntries(windows) as Record<DownloadWindow, number | ''>),
      _links: {
        // Version 2 links to version 1, too.
        self: rest(`podcast/v1/analytics/episodes/${page.id}`),
        'podcast:episode': rest(`${episodePageRoutes.list.path}/${page.id}`),
      },
    };
  });
}

type Counts = Record<DownloadWindow | 'total', number>;

/** Counts downloads since release by episode ID and time window, in one statement. */
async function countDownloads(
  { context }: AnyCall,
  episodeIds: readonly number[],
): Promise<ReadonlyMap<number, Counts>> {
  if (episodeIds.length === 0) return new Map();
  const released = sql`${content.dateGmt} at time zone 'UTC'`;
  const countWithin = ([name, hours]: [DownloadWindow, number]): [DownloadWindow, SQL<number>] => [
    name,
    sql<number>`count(*) filter (where ${podcastDownload.at} < ${released} + make_interval(hours => ${hours}))`.mapWith(
      Number,
    ),
  ];
  const windows = Object.fromEntries(WINDOWS.map(countWithin)) as Record<DownloadWindow, SQL<number>>;
  const rows = await context.store.db
    .select({ episodeId: podcastDownload.episodeId, total: sql<number>`count(*)`.mapWith(Number), ...windows })
    .from(podcastDownload)
    .innerJoin(podcastEpisode, eq(podcastEpisode.id, podcastDownload.episodeId))
    .innerJoin(content, eq(content.id, podcastEpisode.contentId))
    .where(inArray(podcastDownload.episodeId, [...episodeIds]))
    .groupBy(podcastDownload.episodeId);
  return new Map(rows.map(({ episodeId, ...counts }) => [episodeId, counts]));
}

const { _links, ...columns } = episodeDownloads.shape;
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
