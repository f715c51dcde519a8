import { z } from 'zod';
import { readRoute } from './route.ts';

/** Result of a site health test. */
const healthTest = z.object({
  label: z.string(),
  status: z.enum(['good', 'recommended', 'critical']),
  badge: z.object({ label: z.string(), color: z.string() }),
  description: z.string(),
  actions: z.string(),
  test: z.string(),
});

const folderSize = z.object({ size: z.string(), debug: z.string(), raw: z.int() });

const healthRoute = <const N extends string>(name: N, summary: string) =>
  readRoute(`site-health/v1/tests/${name}`, 'user', { summary, response: healthTest });

export const HEALTH_TESTS = {
  backgroundUpdates: healthRoute('background-updates', 'Tests scheduled publication and delivery of hooks'),
  loopbackRequests: healthRoute('loopback-requests', 'Tests whether the origin can reach its public address'),
  httpsStatus: healthRoute('https-status', 'Tests whether the site uses HTTPS'),
  outsideCommunication: healthRoute('dotorg-communication', 'Tests whether the origin depends on external services'),
  authorizationHeader: healthRoute('authorization-header', 'Tests whether the Authorization header reaches the origin'),
  pageCache: healthRoute('page-cache', 'Tests whether pages are prerendered'),
};

export const getDirectorySizes = readRoute('site-health/v1/directory-sizes', 'user', {
  summary: 'Sizes of the files and the database of the site',
  response: z.object({
    uploads_size: folderSize,
    media_size: folderSize,
    database_size: folderSize,
    total_size: folderSize,
  }),
});
