import { existsSync } from 'node:fs';
import path from 'node:path';
import { displayUrl } from '#client/index.ts';
import { stripSignature, type StoredAsset } from '#snapshot/index.ts';
import {
  fetchAsset,
  isKnownTooLarge,
  type AssetRequest,
  type FetchAssetOptions,
  type FetchedAsset,
} from './fetch-asset.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import type { Alarm, AssetCounts } from '../report/sync-report.ts';
import type { AssetKind } from './asset-kind.ts';
import { holdDeclaration, recordDeclarations } from './hold-declarations.ts';
import type { SyncRun } from '../sync-run.ts';

/** A large file may take longer than an answer in JSON. */
const DEADLINE_FACTOR = 6;
/** After so many requests in a row without any answer, a host isn't asked again in this run. */
const MAX_SILENT_IN_A_ROW = 5;

const HOUR_MS = 3_600_000;

type Named = AssetRequest & { owner: string; headOnly: boolean; declared: AssetKind };

/**
 * Fetches every file that the records name, from the hosts that are allowed, and stages what is known
 * of each. Whatever fails is a warning; the last good copy stays, and so does a declaration of performance whose bytes
 * have changed, until somebody accepts the others.
 * @param accept What `--accept` carries, unless the guard has taken it.
 * @throws SortimentError CHANGES_REFUSED when declarations wait and `accept` is for none of them.
 */
export async function fetchAssets(run: SyncRun, accept?: string): Promise<{ counts: AssetCounts; alarms: Alarm[] }> {
  const { options, assetsFolder } = run.settings;
  const isAllowed = run.isMediaHost;
  const kinds = new Map(run.kinds.assets.map((declared) => [declared.kind, declared]));
  const counts: AssetCounts = { referenced: 0, fetched: 0, unchanged: 0, failed: 0, notAllowed: 0, bytes: 0 };
  const wanted: Named[] = [];
  for (const reference of run.staging.assetReferences()) {
    const declared = kinds.get(reference.kind);
    // Of a kind that another version knows: what is stored of it stays.
    if (!declared) continue;
    const way = options.documents === 'link' ? declared.whenLinked?.(reference.address) : 'fetched';
    if (way === 'left alone') continue;
    const headOnly = way === 'asked about';
    counts.referenced += 1;
    if (run.staging.takeOverAsset(reference)) counts.unchanged += 1;
    else if (URL.canParse(reference.address) && isAllowed(new URL(reference.address))) {
      const stored = run.snapshot.asset(reference.url, reference.kind);
      if (!reference.isOfChange && isFresh(run, stored, { headOnly, maxBytes: maxBytesOf(run, declared) })) {
        // Known to be too large: nothing to ask for, but still to be said.
        if (stored?.problem) warn(run, reference, { problem: stored.problem });
        counts[stored?.problem ? 'failed' : 'unchanged'] += 1;
      } else wanted.push({ ...reference, stored, headOnly, declared });
    } else {
      counts.notAllowed += 1;
      warn(run, reference, {
        problem: 'is not fetched: its host is neither an upstream nor in `mediaHosts`',
        advice: 'Add the host to `mediaHosts` in src/sortiment.config.ts if its files may be fetched.',
      });
    }
  }

  const isSilent = watchHosts();
  const fetch = async (request: Named) => {
    const { host } = new URL(request.address);
    if (isSilent.host(host)) return { request, fetched: undefined };
    const fetched = await fetchAsset(request, {
      transport: run.transport,
      assetsFolder,
      kind: request.declared,
      maxBytes: maxBytesOf(run, request.declared),
      deadlineMs: options.sync.timeoutMs * DEADLINE_FACTOR,
      headOnly: request.headOnly,
      mayFollow: isAllowed,
      at: run.startedAt,
    } satisfies FetchAssetOptions);
    isSilent.heard(host, fetched);
    return { request, fetched };
  };

  let done = 0;
  for await (const { request, fetched } of mapConcurrently(wanted, options.sync.concurrency, fetch)) {
    done += 1;
    run.progress({ stage: 'assets', done, total: wanted.length });
    if (fetched) {
      run.staging.stageAsset(holdDeclaration(run, request.stored, fetched.asset));
      counts[fetched.outcome] += 1;
      counts.bytes += fetched.bytes;
      if (fetched.asset.problem) warn(run, request, { problem: fetched.asset.problem });
    } else {
      counts.failed += 1;
      warn(run, request, {
        problem: 'was not asked for: its host has stopped answering',
        advice: 'Sync again when the host answers.',
      });
    }
  }
  return { counts, alarms: recordDeclarations(run, accept) };
}

function maxBytesOf({ settings }: SyncRun, { maxBytes }: AssetKind): number {
  return maxBytes ?? settings.options.sync.maxMediaBytes;
}

/** Whether it was asked for not long ago, and is here. */
function isFresh(
  { startedAt, settings }: SyncRun,
  stored: StoredAsset | undefined,
  { headOnly, maxBytes }: { headOnly: boolean; maxBytes: number },
): boolean {
  if (!stored) return false;
  if (isKnownTooLarge(stored, maxBytes)) return isRecent(startedAt, settings, stored);
  if (!stored.reachable) return false;
  if (!headOnly && !(stored.file && existsSync(path.join(settings.assetsFolder, stored.file)))) return false;
  return isRecent(startedAt, settings, stored);
}

function isRecent(at: Date, { options }: SyncRun['settings'], { checkedAt }: StoredAsset): boolean {
  const ageMs = at.getTime() - Date.parse(checkedAt);
  return ageMs >= 0 && ageMs < options.sync.recheckMediaHours * HOUR_MS;
}

function watchHosts() {
  const silentInARow = new Map<string, number>();
  return {
    host: (host: string) => (silentInARow.get(host) ?? 0) >= MAX_SILENT_IN_A_ROW,
    heard: (host: string, { silent }: FetchedAsset) =>
      void silentInARow.set(host, silent ? (silentInARow.get(host) ?? 0) + 1 : 0),
  };
}

const CHECK_FILE =
  'Open the address; where the file is gone or not what it should be, correct the record that names it.';

function warn(
  { issues, staging }: SyncRun,
  { address, owner }: { address: string; owner: string },
  { problem, advice = CHECK_FILE }: { problem: string; advice?: string },
): void {
  const title = staging.titleOf(owner);
  issues.warning({
    kind: 'asset',
    id: displayUrl(stripSignature(address)),
    field: '',
    problem,
    advice,
    shown: `named by ${owner}${title === undefined ? '' : ` “${title}”`}`,
  });
}
