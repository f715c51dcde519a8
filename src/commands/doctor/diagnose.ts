import { createTransport } from '#client/index.ts';
import type { Settings, Upstreams } from '#config/index.ts';
import { loadOrigin } from '#origin/server/load-origin.ts';
import { hasStore, openUpstreams } from '#integration/upstreams/index.ts';
import { checkAssortment } from './check-assortment.ts';
import { checkCompleteness } from './check-completeness.ts';
import { checkDist } from './check-dist.ts';
import { checkDisk } from './check-disk.ts';
import { checkLinks } from './check-links.ts';
import { checkNode } from './check-node.ts';
import { checkProductInterface, SAMPLE_CHECK } from './check-product-interface.ts';
import { checkProfile } from './check-profile.ts';
import { checkPublishing } from './check-publishing.ts';
import { checkSecurity } from './check-security.ts';
import { checkSnapshot } from './check-snapshot.ts';
import { checkTexts } from './check-texts.ts';
import { failureOf } from './failure-of.ts';
import { ok, skip, type Finding } from './finding.ts';

/** A person waits for the answers. */
const TIMEOUT_MS = 10_000;

/**
 * Looks at everything that a sync and a build need. Nothing is changed but the interface's profile, and nothing is
 * fetched but what the checks ask for.
 * @param load Resolves the settings; what it throws is a finding, too.
 */
export async function diagnose(root: string, load: () => Promise<Settings>): Promise<Finding[]> {
  const findings = [await checkNode(root)];
  let settings: Settings;
  try {
    settings = await load();
  } catch (error) {
    return [...findings, failureOf('Configuration', error)];
  }
  findings.push(ok('Configuration', `${settings.options.site.name}, ${settings.siteUrl}`));
  const { finding, gtins } = await checkAssortment(settings);
  findings.push(finding);
  const { upstreams, checks } = await checkUpstreams(settings, gtins);
  return [
    ...findings,
    ...checks,
    ...checkSnapshot(settings, upstreams),
    checkDist(settings),
    checkCompleteness(settings),
    checkTexts(settings),
    ...checkLinks(settings),
    checkSecurity(settings),
    await checkDisk(settings),
  ];
}

async function checkUpstreams(
  settings: Settings,
  gtins: readonly string[],
): Promise<{ upstreams: Upstreams; checks: Finding[] }> {
  if (settings.offline) return { upstreams: {}, checks: [skip('Upstreams', 'SORTIMENT_OFFLINE is set')] };
  try {
    if (settings.upstreams === 'embedded' && !(await isOriginRunning(settings))) {
      const message = hasStore(settings)
        ? 'the embedded origin is not running; see it checked while `npm start` or `npm run origin` runs'
        : 'the embedded origin, which the first `npm start` sets up';
      return { upstreams: {}, checks: [skip('Upstreams', message)] };
    }
    const opened = await openUpstreams(settings, () => undefined);
    const { product, publishing } = opened.upstreams;
    const transport = createTransport({
      timeoutMs: Math.min(TIMEOUT_MS, settings.options.sync.timeoutMs),
      retries: 0,
      connectTo: connections(opened.upstreams),
    });
    try {
      const interfaceChecks = await checkProductInterface(product, { transport, options: settings.options, gtins });
      // The embedded origin is our own: there is nothing to find out.
      const isStrange = product && settings.upstreams !== 'embedded';
      const sample = interfaceChecks.some(({ check, status }) => check === SAMPLE_CHECK && status === 'ok') && gtins[0];
      const profileChecks =
        isStrange && sample
          ? await checkProfile(settings, product, { transport, gtin: sample, assortment: gtins })
          : [];
      const checks = [...interfaceChecks, ...profileChecks, ...(await checkPublishing(publishing, transport))];
      return { upstreams: opened.upstreams, checks };
    } finally {
      await transport.close();
      await opened.close();
    }
  } catch (error) {
    return { upstreams: {}, checks: [failureOf('Upstreams', error)] };
  }
}

/** One that doesn't run is left alone: to start it would write its store. */
async function isOriginRunning({ originFolder }: Settings): Promise<boolean> {
  const { findRunningOrigin } = await loadOrigin();
  return (await findRunningOrigin(originFolder)) !== undefined;
}

function connections({ product, publishing }: Upstreams): Record<string, string> {
  const pairs = [
    [product?.root, product?.connectTo],
    [publishing?.siteUrl, publishing?.connectTo],
  ];
  return Object.fromEntries(pairs.flatMap(([url, to]) => (url && to ? [[new URL(url).origin, to]] : [])));
}
