import { sql, and, isNull, lt } from 'drizzle-orm';
import { getDirectorySizes, HEALTH_TESTS, type HealthTest } from '#contracts/site-health.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { option, outbox } from '#origin/platform/store/schema.ts';

function serveSiteHealth(registry: RouteRegistry): void {
  // Tests have to run for each request, so their responses are not cached.
  const serve = registry.with({ permit: authorizeRead, isKept: false });
  serve(HEALTH_TESTS.backgroundUpdates, async (call) => item(await testBackgroundWork(call)));
  serve(HEALTH_TESTS.loopbackRequests, async (call) => item(await testLoopback(call)));
  serve(HEALTH_TESTS.httpsStatus, (call) => item(testHttps(call)));
  serve(HEALTH_TESTS.outsideCommunication, () => item(testOutsideServices()));
  serve(HEALTH_TESTS.authorizationHeader, (call) => item(testAuthorizationHeader(call)));
  serve(HEALTH_TESTS.pageCache, () => item(testPageCache()));
  serve(getDirectorySizes, async (call) => item(await measureSite(call.context)));
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

export const siteHealth: NamespaceModule = {
  name: 'site-health',
  description: 'Health checks of the site, for administrators.',
  namespaces: ['site-health/v1'],
  serve: serveSiteHealth,
  rights: { administrator: ['view_site_health_checks'] },
};

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

/** @param raw bytes */
function formatSize(raw: number) {
  const size = `${(raw / 1024 / 1024).toFixed(2)} MB`;
  return { size, debug: `${size} (${raw} bytes)`, raw };
}

const LOOPBACK_TIMEOUT_MS = 5000;
const LATE_MS = 60 * 60 * 1000;

const SECURITY = { label: 'Security', color: 'blue' };
const PERFORMANCE = { label: 'Performance', color: 'blue' };

/** Checks that no build hook notification has been pending for more than an hour. */
async function testBackgroundWork({ context }: AnyCall): Promise<HealthTest> {
  const isLate = and(isNull(outbox.doneAt), lt(outbox.runAt, new Date(Date.now() - LATE_MS)));
  const waiting = await context.store.db.$count(outbox, isLate);
  return report('background_updates', PERFORMANCE, waiting === 0, {
    label: waiting === 0 ? 'Background jobs are up to date' : 'Background jobs are late',
    description: `Build hooks are notified of changes in the background. ${waiting} changes have been pending for more than an hour.`,
    actions: waiting === 0 ? '' : 'Check the log of the origin for the cause.',
  });
}

/** Checks that the origin can reach its own API at the configured URL. */
async function testLoopback({ addresses }: AnyCall): Promise<HealthTest> {
  const address = addresses.rest('');
  const isReachable = await fetch(`${address}?_fields=name`, { signal: AbortSignal.timeout(LOOPBACK_TIMEOUT_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
  return report('loopback_requests', PERFORMANCE, isReachable, {
    label: isReachable ? 'The origin can reach itself' : 'The origin cannot reach itself',
    description: 'Links in responses use the public URL, which should also resolve to the origin internally.',
    actions: isReachable ? '' : `Check that ${address} responds, or correct SITE_URL.`,
  });
}

/** Checks for HTTPS, because requests contain passwords. */
function testHttps({ addresses }: AnyCall): HealthTest {
  const { protocol, hostname } = new URL(addresses.site);
  const isSafe = protocol === 'https:' || /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  return report('https_status', SECURITY, isSafe, {
    label: isSafe ? 'Passwords are encrypted in transit' : 'Passwords are not encrypted in transit',
    description: `The URL of the site is ${addresses.site}.`,
    actions: isSafe
      ? ''
      : 'Put a reverse proxy with a certificate in front of the origin and set SITE_URL to its https URL.',
  });
}

function testOutsideServices(): HealthTest {
  return report('dotorg_communication', SECURITY, true, {
    label: 'The origin needs no external services',
    description: 'The origin only connects to other hosts when a user embeds or copies something from them.',
  });
}

/** Checks for the header, which some proxies drop. A request with an application password proves that it arrives. */
function testAuthorizationHeader({ caller }: AnyCall): HealthTest {
  const hasHeader = caller.applicationPassword !== undefined;
  return report('authorization_header', SECURITY, hasHeader, {
    label: hasHeader ? 'The Authorization header arrives' : 'The Authorization header is missing',
    description: 'Applications use it to sign in.',
    actions: hasHeader
      ? ''
      : 'Repeat the request with an application password. If it fails, configure the proxy to forward the header.',
  });
}

function testPageCache(): HealthTest {
  return report('page_cache', PERFORMANCE, true, {
    label: 'Pages are prerendered',
    description: 'The site is built from the REST API and served as static files.',
  });
}

function report(
  test: string,
  badge: HealthTest['badge'],
  isGood: boolean,
  texts: { label: string; description: string; actions?: string },
): HealthTest {
  const { label, description, actions = '' } = texts;
  return {
    label,
    status: isGood ? 'good' : 'recommended',
    badge,
    description: paragraph(description),
    actions: paragraph(actions),
    test,
  };
}

function paragraph(text: string): string {
  return text === '' ? '' : `<p>${text}</p>`;
}
