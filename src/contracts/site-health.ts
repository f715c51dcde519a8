import { z } from 'zod';
import { route } from './route.ts';

/** What a test of the site found. */
export const healthTest = z.object({
  label: z.string(),
  status: z.enum(['good', 'recommended', 'critical']),
  badge: z.object({ label: z.string(), color: z.string() }),
  description: z.string(),
  actions: z.string(),
  test: z.string(),
});

export type HealthTest = z.output<typeof healthTest>;

const folderSize = z.object({ size: z.string(), debug: z.string(), raw: z.int() });

const healthRoute = <const N extends string>(name: N, summary: string) =>
  route({
    method: 'GET',
    path: `site-health/v1/tests/${name}`,
    summary,
    access: 'user',
    response: healthTest,
  });

export const HEALTH_TESTS = {
  backgroundUpdates: healthRoute('background-updates', 'Whether scheduled posts are published and hooks are told'),
  loopbackRequests: healthRoute('loopback-requests', 'Whether the origin reaches itself at its public address'),
  httpsStatus: healthRoute('https-status', 'Whether the site is reached over https'),
  outsideCommunication: healthRoute('dotorg-communication', 'Whether the origin depends on a service elsewhere'),
  authorizationHeader: healthRoute('authorization-header', 'Whether the Authorization header arrives'),
  pageCache: healthRoute('page-cache', 'Whether pages are made in advance'),
};

export const getDirectorySizes = route({
  method: 'GET',
  path: 'site-health/v1/directory-sizes',
  summary: 'How much the files and the store of the site take',
  access: 'user',
  response: z.object({
    uploads_size: folderSize,
    media_size: folderSize,
    database_size: folderSize,
    total_size: folderSize,
  }),
});
