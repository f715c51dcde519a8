import type { Settings, Upstreams } from '#config/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import { openSnapshot, type Snapshot } from '#snapshot/index.ts';
import { toFailure, ok, skip, warn, type Finding } from './finding.ts';

const DAY_MS = 86_400_000;
const OLD_AFTER_DAYS = 7;

/** Checks the age of the snapshot and the hosts of its files. */
export function checkSnapshot(settings: Settings, upstreams: Upstreams, now: Date = new Date()): Finding[] {
  let snapshot: Snapshot;
  try {
    snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  } catch (error) {
    const missing = isSortimentError(error) && error.code === 'SNAPSHOT_MISSING';
    if (missing && !settings.offline)
      return [warn('Snapshot', 'there is none yet', 'Run `npm run sync`, or `npm start`.')];
    return [toFailure('Snapshot', error)];
  }
  try {
    return [checkAge(snapshot, now), checkHosts(snapshot, settings, upstreams)];
  } finally {
    snapshot.close();
  }
}

function checkAge(snapshot: Snapshot, now: Date): Finding {
  const [last] = snapshot.runs(1);
  const finished = last?.finishedAt ?? snapshot.takenAt();
  if (finished === undefined) return skip('Snapshot', 'was never finished');
  const days = (now.getTime() - Date.parse(finished)) / DAY_MS;
  const message = `last compared with the upstreams ${formatAge(days)}`;
  return days > OLD_AFTER_DAYS ? warn('Snapshot', message, 'Run `npm run sync`.') : ok('Snapshot', message);
}

function formatAge(days: number): string {
  const minutes = Math.round(days * 24 * 60);
  if (minutes < 90) return `${minutes} min ago`;
  return days < 2 ? `${Math.round(days * 24)} h ago` : `${Math.round(days)} days ago`;
}

function checkHosts(snapshot: Snapshot, { options }: Settings, { product, publishing }: Upstreams): Finding {
  const upstreamHosts = [product?.root, publishing?.siteUrl].flatMap((url) =>
    url === undefined ? [] : new URL(url).host,
  );
  const allowed = new Set([...upstreamHosts, ...options.mediaHosts]);
  const disallowed = new Map<string, number>();
  for (const { url, digest } of snapshot.assets()) {
    const host = URL.canParse(url) ? new URL(url).host : url;
    if (!allowed.has(host) && digest === undefined) disallowed.set(host, (disallowed.get(host) ?? 0) + 1);
  }
  if (disallowed.size === 0) return ok('Media hosts', [...allowed].join(', ') || 'none are needed');
  const list = [...disallowed].map(([host, count]) => `${host} (${count} files)`).join(', ');
  const hint = `If they are to be fetched, add them to \`mediaHosts\` in src/sortiment.config.ts.`;
  return warn('Media hosts', `not allowed: ${list}`, hint);
}
