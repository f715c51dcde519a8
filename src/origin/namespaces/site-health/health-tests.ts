import { and, count, isNull, lt } from 'drizzle-orm';
import type { HealthTest } from '#contracts/site-health.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { outbox } from '#origin/platform/store/schema.ts';

const LOOPBACK_TIMEOUT_MS = 5000;
const LATE_MS = 60 * 60 * 1000;

const SECURITY = { label: 'Security', color: 'blue' };
const PERFORMANCE = { label: 'Performance', color: 'blue' };

/** Whether anything that should have been told to build hooks has been waiting for an hour. */
export async function testBackgroundWork({ context }: AnyCall): Promise<HealthTest> {
  const [late] = await context.store.db
    .select({ rows: count() })
    .from(outbox)
    .where(and(isNull(outbox.doneAt), lt(outbox.runAt, new Date(Date.now() - LATE_MS))));
  const waiting = late?.rows ?? 0;
  return report('background_updates', PERFORMANCE, waiting === 0, {
    label: waiting === 0 ? 'Work in the background is done' : 'Work in the background is late',
    description: `Build hooks are told of changes in the background. ${waiting} changes have been waiting for more than an hour.`,
    actions: waiting === 0 ? '' : 'See the log of the origin for what keeps them waiting.',
  });
}

/** Whether the origin reaches its own interface at the address it is configured with. */
export async function testLoopback({ addresses }: AnyCall): Promise<HealthTest> {
  const address = addresses.rest('');
  const isReached = await fetch(`${address}?_fields=name`, { signal: AbortSignal.timeout(LOOPBACK_TIMEOUT_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
  return report('loopback_requests', PERFORMANCE, isReached, {
    label: isReached ? 'The origin reaches itself' : 'The origin does not reach itself',
    description: 'Links in answers begin with the public address; it should lead to the origin from the inside too.',
    actions: isReached ? '' : `Check that ${address} answers, or correct SITE_URL.`,
  });
}

/** Passwords travel with every request: they should not travel in clear. */
export function testHttps({ addresses }: AnyCall): HealthTest {
  const { protocol, hostname } = new URL(addresses.site);
  const isSafe = protocol === 'https:' || /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  return report('https_status', SECURITY, isSafe, {
    label: isSafe ? 'Passwords travel safely' : 'Passwords travel in clear',
    description: `The site is at ${addresses.site}.`,
    actions: isSafe
      ? ''
      : 'Put a proxy with a certificate in front of the origin and set SITE_URL to its https address.',
  });
}

export function testOutsideServices(): HealthTest {
  return report('dotorg_communication', SECURITY, true, {
    label: 'The origin needs no service elsewhere',
    description: 'Nothing is fetched from other hosts unless somebody asks to embed or to copy something from there.',
  });
}

/** Some servers in front of others drop the header; who got here by an application password proves they do not. */
export function testAuthorizationHeader({ caller }: AnyCall): HealthTest {
  const hasArrived = caller.applicationPassword !== undefined;
  return report('authorization_header', SECURITY, hasArrived, {
    label: hasArrived ? 'The Authorization header arrives' : 'The Authorization header was not seen',
    description: 'Applications sign in with it.',
    actions: hasArrived
      ? ''
      : 'Ask with an application password. If that is refused, let your proxy pass the header on.',
  });
}

export function testPageCache(): HealthTest {
  return report('page_cache', PERFORMANCE, true, {
    label: 'Pages are made in advance',
    description: 'The site is built from the interface and served as files: no page is made while a visitor waits.',
  });
}

function report(
  test: string,
  badge: HealthTest['badge'],
  isGood: boolean,
  words: { label: string; description: string; actions?: string },
): HealthTest {
  const { label, description, actions = '' } = words;
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
