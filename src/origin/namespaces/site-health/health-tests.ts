import { and, count, isNull, lt } from 'drizzle-orm';
import type { HealthTest } from '#contracts/site-health.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { outbox } from '#origin/platform/store/schema.ts';

const LOOPBACK_TIMEOUT_MS = 5000;
const LATE_MS = 60 * 60 * 1000;

const SECURITY = { label: 'Security', color: 'blue' };
const PERFORMANCE = { label: 'Performance', color: 'blue' };

/** Checks that no build hook notification has been pending for more than an hour. */
export async function testBackgroundWork({ context }: AnyCall): Promise<HealthTest> {
  const [late] = await context.store.db
    .select({ rows: count() })
    .from(outbox)
    .where(and(isNull(outbox.doneAt), lt(outbox.runAt, new Date(Date.now() - LATE_MS))));
  const waiting = late?.rows ?? 0;
  return report('background_updates', PERFORMANCE, waiting === 0, {
    label: waiting === 0 ? 'Background jobs are up to date' : 'Background jobs are late',
    description: `Build hooks are notified of changes in the background. ${waiting} changes have been pending for more than an hour.`,
    actions: waiting === 0 ? '' : 'Check the log of the origin for the cause.',
  });
}

/** Checks that the origin can reach its own API at the configured URL. */
export async function testLoopback({ addresses }: AnyCall): Promise<HealthTest> {
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
export function testHttps({ addresses }: AnyCall): HealthTest {
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

export function testOutsideServices(): HealthTest {
  return report('dotorg_communication', SECURITY, true, {
    label: 'The origin needs no external services',
    description: 'The origin only connects to other hosts when a user embeds or copies something from them.',
  });
}

/** Checks for the header, which some proxies drop. A request with an application password proves that it arrives. */
export function testAuthorizationHeader({ caller }: AnyCall): HealthTest {
  const hasHeader = caller.applicationPassword !== undefined;
  return report('authorization_header', SECURITY, hasHeader, {
    label: hasHeader ? 'The Authorization header arrives' : 'The Authorization header is missing',
    description: 'Applications use it to sign in.',
    actions: hasHeader
      ? ''
      : 'Repeat the request with an application password. If it fails, configure the proxy to forward the header.',
  });
}

export function testPageCache(): HealthTest {
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
