import { z } from 'zod';
import { resourceRoutes, readRoute } from '../route.ts';
import { wireInteger } from '../wire.ts';
import { looseInteger, NOT_FOUND } from './shared-schemas.ts';

const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;

/** Time spans since the release of an episode, in hours. A span is counted after it has passed. */
export const DOWNLOAD_WINDOWS = {
  '3y': 3 * 52 * WEEK_HOURS,
  '2y': 2 * 52 * WEEK_HOURS,
  '1y': 52 * WEEK_HOURS,
  '3q': 3 * 13 * WEEK_HOURS,
  '2q': 2 * 13 * WEEK_HOURS,
  '1q': 13 * WEEK_HOURS,
  '4w': 4 * WEEK_HOURS,
  '3w': 3 * WEEK_HOURS,
  '2w': 2 * WEEK_HOURS,
  '1w': WEEK_HOURS,
  '6d': 6 * DAY_HOURS,
  '5d': 5 * DAY_HOURS,
  '4d': 4 * DAY_HOURS,
  '3d': 3 * DAY_HOURS,
  '2d': 2 * DAY_HOURS,
  '1d': DAY_HOURS,
} as const;
export type DownloadWindow = keyof typeof DOWNLOAD_WINDOWS;

/** Number of downloads; empty until the span has passed. */
const downloads = z.union([looseInteger, z.literal('')]).meta({ type: ['integer', 'string'] });

type DownloadFields = Record<DownloadWindow, typeof downloads>;

/** Download counts of an episode. */
export const episodeDownloads = z
  .object({
    title: z.string().describe('Title of the episode page'),
    id: looseInteger.describe('Id of the episode'),
    post_id: looseInteger.describe('Id of the episode page, as used in paths'),
    post_date: z.string().describe('Date of publication, in site time'),
    post_date_gmt: z.string(),
    days_since_release: looseInteger,
    hours_since_release: looseInteger,
    downloads: downloads.describe('Total downloads'),
    ...(Object.fromEntries(Object.keys(DOWNLOAD_WINDOWS).map((name) => [name, downloads])) as DownloadFields),
    _links: z.object({ self: z.string(), 'podcast:episode': z.string() }),
  })
  .meta({ title: 'episode-downloads' });
export type EpisodeDownloads = z.output<typeof episodeDownloads>;

const query = z.object({
  // Any other value selects JSON.
  format: z.unknown().default('json').meta({ type: 'string', description: '`csv` for a table of all columns' }),
});
const onePage = z.object({ id: wireInteger().describe('Id of the episode page') });
const severalPages = z.object({
  ids: z
    .string()
    .regex(/^\d+,[\d,]+$/)
    .describe('Ids of episode pages, separated by commas'),
});

/** Declares the routes of downloads, which are the same in both versions. */
function analyticsRoutes<const V extends 'v1' | 'v2'>(version: V) {
  const path = `podcast/${version}/analytics/episodes` as const;
  return {
    ...resourceRoutes(
      { path, params: onePage, access: 'user', resource: episodeDownloads },
      {
        list: { summary: 'Downloads of all published episodes, newest first', query },
        get: { summary: 'Downloads of an episode', query, errors: NOT_FOUND },
      },
    ),
    choose: readRoute(`${path}/<ids>`, 'user', {
      summary: 'Downloads of the given episodes; unknown ids are skipped',
      params: severalPages,
      query,
      response: z.array(episodeDownloads),
    }),
  };
}

export const analyticsV1 = analyticsRoutes('v1');
export const analyticsV2 = analyticsRoutes('v2');
