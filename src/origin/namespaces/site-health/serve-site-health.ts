import { sql } from 'drizzle-orm';
import { getDirectorySizes, HEALTH_TESTS } from '#contracts/site-health.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type AnyCall, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { option } from '#origin/platform/store/schema.ts';
import {
  testAuthorizationHeader,
  testBackgroundWork,
  testHttps,
  testLoopback,
  testOutsideServices,
  testPageCache,
} from './health-tests.ts';

function serveSiteHealth(registry: RouteRegistry): void {
  // Tests have to run for each request, so their responses are not cached.
  const rules = { permit: authorizeRead, isKept: false };
  registry.serve(HEALTH_TESTS.backgroundUpdates, async (call) => item(await testBackgroundWork(call)), rules);
  registry.serve(HEALTH_TESTS.loopbackRequests, async (call) => item(await testLoopback(call)), rules);
  registry.serve(HEALTH_TESTS.httpsStatus, (call) => item(testHttps(call)), rules);
  registry.serve(HEALTH_TESTS.outsideCommunication, () => item(testOutsideServices()), rules);
  registry.serve(HEALTH_TESTS.authorizationHeader, (call) => item(testAuthorizationHeader(call)), rules);
  registry.serve(HEALTH_TESTS.pageCache, () => item(testPageCache()), rules);
  registry.serve(getDirectorySizes, async (call) => item(await measureSite(call.context)), rules);
}

function authorizeRead({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'view_site_health_checks'))
    throw refuse('rest_forbidden', 'You are not allowed to view site health.');
}

declare module '#origin/platform/registry/rights.ts' {
  interface NamespaceRights {
    view_site_health_checks: true;
  }
}

/** The `site-health/v1` namespace. */
export const siteHealth: NamespaceModule = {
  name: 'site-health',
  description: 'Health checks of the site, for administrators.',
  namespaces: ['site-health/v1'],
  serve: serveSiteHealth,
  rights: { administrator: ['view_site_health_checks'] },
};

interface Size {
  size: string;
  debug: string;
  /** Bytes. */
  raw: number;
}

/** Measures the size of the files and the database. */
async function measureSite({ files, store }: OriginContext) {
  const [uploads, media, [database]] = await Promise.all([
    files.uploads.measure(),
    files.media.measure(),
    store.db
      .select({ bytes: sql<string>`pg_database_size(current_database())` })
      .from(option)
      .limit(1),
  ]);
  const stored = Number(database?.bytes ?? 0);
  return {
    uploads_size: formatSize(uploads),
    media_size: formatSize(media),
    database_size: formatSize(stored),
    total_size: formatSize(uploads + media + stored),
  };
}

function formatSize(raw: number): Size {
  const size = `${(raw / 1024 / 1024).toFixed(2)} MB`;
  return { size, debug: `${size} (${raw} bytes)`, raw };
}
