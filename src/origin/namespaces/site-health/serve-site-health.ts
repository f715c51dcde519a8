import { basename } from 'node:path/posix';
import { sql, and, isNull, lt } from 'drizzle-orm';
import { getDirectorySizes, HEALTH_TESTS } from '#contracts/site-health.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { item, requireRight, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { option, outbox } from '#origin/platform/store/schema.ts';

function serveSiteHealth(registry: RouteRegistry): void {
  const permit = requireRight('view_site_health_checks', 'rest_forbidden', 'You are not allowed to view site health.');
  // Tests have to run for each request, so their responses are not cached.
  const serve = registry.with({ permit, isKept: false });
  for (const [route, badge, check] of [
    [HEALTH_TESTS.backgroundUpdates, 'Performance', checkBackgroundWork],
    [HEALTH_TESTS.loopbackRequests, 'Performance', checkLoopback],
    [HEALTH_TESTS.httpsStatus, 'Security', checkHttps],
    [HEALTH_TESTS.outsideCommunication, 'Security', () => NO_EXTERNAL_SERVICES],
    [HEALTH_TESTS.authorizationHeader, 'Security', checkAuthorizationHeader],
    [HEALTH_TESTS.pageCache, 'Performance', () => PRERENDERED],
  ] as const)
    serve(route, async (call) => {
      const { isGood, label, description, actions = '' } = await check(call);
      return item({
        label,
        status: isGood ? 'good' : 'recommended',
        badge: { label: badge, color: 'blue' },
        description: `<p>${description}</p>`,
        actions: isGood ? '' : `<p>${actions}</p>`,
        test: basename(route.path).replaceAll('-', '_'),
      });
    });
  serve(getDirectorySizes, async (call) => item(await measureSite(call.context)));
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

/** Result of a check. The actions are shown if it is not good. */
interface CheckResult {
  isGood: boolean;
  label: string;
  description: string;
  actions?: string;
}

/** Checks that no build hook notification has been pending for more than an hour. */
async function checkBackgroundWork({ context }: AnyCall): Promise<CheckResult> {
  const isLate = and(isNull(outbox.doneAt), lt(outbox.runAt, new Date(Date.now() - LATE_MS)));
  const waiting = await context.store.db.$count(outbox, isLate);
  return {
    isGood: waiting === 0,
    label: waiting === 0 ? 'Background jobs are up to date' : 'Background jobs are late',
    description: `Build hooks are notified of changes in the background. ${waiting} changes have been pending for more than an hour.`,
    actions: 'Check the log of the origin for the cause.',
  };
}

/** Checks that the origin can reach its own API at the configured URL. */
async function checkLoopback({ addresses }: AnyCall): Promise<CheckResult> {
  const address = addresses.rest('');
  const isGood = await fetch(`${address}?_fields=name`, { signal: AbortSignal.timeout(LOOPBACK_TIMEOUT_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
  return {
    isGood,
    label: isGood ? 'The origin can reach itself' : 'The origin cannot reach itself',
    description: 'Links in responses use the public URL, which should also resolve to the origin internally.',
    actions: `Check that ${address} responds, or correct SITE_URL.`,
  };
}

/** Checks for HTTPS, because requests contain passwords. */
function checkHttps({ addresses }: AnyCall): CheckResult {
  const { protocol, hostname } = new URL(addresses.site);
  const isGood = protocol === 'https:' || /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  return {
    isGood,
    label: isGood ? 'Passwords are encrypted in transit' : 'Passwords are not encrypted in transit',
    description: `The URL of the site is ${addresses.site}.`,
    actions: 'Put a reverse proxy with a certificate in front of the origin and set SITE_URL to its https URL.',
  };
}

/** Checks for the header, which some proxies drop. A request with an application password proves that it arrives. */
function checkAuthorizationHeader({ caller }: AnyCall): CheckResult {
  const isGood = caller.applicationPassword !== undefined;
  return {
    isGood,
    label: isGood ? 'The Authorization header arrives' : 'The Authorization header is missing',
    description: 'Applications use it to sign in.',
    actions: 'Repeat the request with an application password. If it fails, configure the proxy to forward the header.',
  };
}

const NO_EXTERNAL_SERVICES: CheckResult = {
  isGood: true,
  label: 'The origin needs no external services',
  description: 'The origin only connects to other hosts when a user embeds or copies something from them.',
};

const PRERENDERED: CheckResult = {
  isGood: true,
  label: 'Pages are prerendered',
  description: 'The site is built from the REST API and served as static files.',
};
