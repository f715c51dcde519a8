import { detectPublishing, type Transport } from '#client/index.ts';
import type { PublishingUpstream } from '#config/index.ts';
import { plainText } from '#sync/index.ts';
import { failureOf } from './failure-of.ts';
import { ok, skip, type Finding } from './finding.ts';

/** Whether the publishing site answers, and what it calls its namespaces. */
export async function checkPublishing(
  upstream: PublishingUpstream | undefined,
  transport: Transport,
): Promise<Finding[]> {
  if (!upstream) return [skip('Publishing site', 'none is configured')];
  try {
    const { name, root, namespaces } = await detectPublishing(upstream, transport);
    const names = Object.entries(namespaces).map(([neutral, wire]) => `${neutral} = ${wire}`);
    return [
      ok('Publishing site', `"${plainText(name)}" answers at ${root}`),
      ok('Namespaces', names.length > 0 ? names.join(', ') : 'go by their neutral names'),
    ];
  } catch (error) {
    return [failureOf('Publishing site', error)];
  }
}
