import { existsSync } from 'node:fs';
import path from 'node:path';
import { displayUrl } from '#client/upstream-result.ts';
import { removePartials } from '#client/download-file.ts';
import { SortimentError } from '#contracts/index.ts';
import { stripSignature, type StoredAsset, findDeclarationOwners, findPendingDocuments } from '#snapshot/index.ts';
import { mapConcurrently, type SyncRun } from '../sync-options.ts';
import { digestChanges } from '../guard/guard-run.ts';
import { describeAlarm } from '../report/format-report.ts';
import type { Alarm, AssetCounts } from '../report/sync-report.ts';
import type { AssetKind } from './asset-kinds.ts';
import {
  fetchAsset,
  HOSTS_OPTION,
  isKnownTooLarge,
  partialFolder,
  type AssetRequest,
  type FetchAssetOptions,
  type FetchedAsset,
} from './fetch-asset.ts';

/** A large file may take longer than a JSON response. */
const DEADLINE_FACTOR = 6;
/** A streamed file may take much longer. Incomplete files are resumed in the next run. */
const STREAM_DEADLINE_FACTOR = 90;
/** After this many unanswered requests in a row, a host is skipped for the rest of the run. */
const MAX_SILENT_IN_A_ROW = 5;

const HOUR_MS = 3_600_000;

type ReferencedAsset = AssetRequest & { owner: string; headOnly: boolean; declared: AssetKind };

/**
 * Fetches all files that records refer to from the allowed hosts, and stages the results. A failure is a warning and
 * keeps the last good copy. A changed declaration of performance is replaced only after its bytes are accepted.
 * @param accept Digest from `--accept`, unless the guard has used it.
 * @throws SortimentError CHANGES_REFUSED if declarations are pending and `accept` matches none of them.
 */
export async function fetchAssets(run: SyncRun, accept?: string): Promise<{ counts: AssetCounts; alarms: Alarm[] }> {
  const { options, assetsFolder } = run.settings;
  const isAllowed = run.isMediaHost;
  const kinds = new Map(run.kinds.assets.map((declared) => [declared.kind, declared]));
  const counts: AssetCounts = { referenced: 0, fetched: 0, unchanged: 0, failed: 0, notAllowed: 0, bytes: 0 };
  const requests: ReferencedAsset[] = [];
  for (const reference of run.staging.assetReferences()) {
    const declared = kinds.get(reference.kind);
    // This version doesn't support the kind: leave it as stored.
    if (!declared) continue;
    const access = declared.access?.(options, reference.address);
    if (access === 'ignore') continue;
    const headOnly = access === 'check';
    counts.referenced += 1;
    const isFull = run.isFull(reference.owner.startsWith('product/') ? 'product' : 'publishing');
    if (!isFull && run.staging.takeOverAsset(reference)) counts.unchanged += 1;
    else if (URL.canParse(reference.address) && isAllowed(new URL(reference.address))) {
      const stored = run.snapshot.asset(reference.url, reference.kind);
      if (!isFull && !reference.isOfChange && isFresh(run, stored, { headOnly, declared })) {
        // Known to be too large: not requested, but still reported.
        if (stored?.problem) warn(run, reference, { problem: stored.problem });
        else if (stored) warnOfLimits(run, { ...reference, declared }, stored);
        counts[stored?.problem ? 'failed' : 'unchanged'] += 1;
      } else requests.push({ ...reference, stored, headOnly, declared });
    } else {
      counts.notAllowed += 1;
      warn(run, reference, { problem: `is not fetched: its host is ${NOT_ALLOWED}` });
    }
  }

  const hostWatch = watchHosts();
  const fetch = async (request: ReferencedAsset) => {
    const { host } = new URL(request.address);
    if (hostWatch.host(host)) return { request, fetched: undefined };
    const fetched = await fetchAsset(request, {
      transport: run.transport,
      assetsFolder,
      kind: request.declared,
      maxBytes: maxBytesOf(run, request.declared),
      deadlineMs: options.sync.timeoutMs * (request.declared.isStreamed ? STREAM_DEADLINE_FACTOR : DEADLINE_FACTOR),
      retries: options.sync.retries,
      headOnly: request.headOnly,
      mayFollow: isAllowed,
      credential: run.credentialFor(request.address),
      at: run.startedAt,
    } satisfies FetchAssetOptions);
    hostWatch.heard(host, fetched);
    return { request, fetched };
  };

  let done = 0;
  for await (const { request, fetched } of mapConcurrently(requests, options.sync.concurrency, fetch)) {
    done += 1;
    run.progress({ stage: 'assets', done, total: requests.length });
    if (fetched) {
      run.staging.stageAsset(holdBackDeclaration(run, request.stored, fetched.asset));
      counts[fetched.outcome] += 1;
      counts.bytes += fetched.bytes;
      const problem = fetched.asset.problem ?? fetched.warning;
      if (problem) warn(run, request, { problem });
      else warnOfLimits(run, request, fetched.asset);
    } else {
      counts.failed += 1;
      warn(run, request, {
        problem: 'was not requested: its host has stopped responding',
        advice: 'Sync again when the host responds.',
      });
    }
  }
  const streamed = requests.filter(({ declared }) => declared.isStreamed);
  await removePartials(partialFolder(assetsFolder), new Set(streamed.map(({ address }) => address)));
  return { counts, alarms: publishAcceptedDeclarations(run, accept) };
}

function maxBytesOf({ settings }: SyncRun, { maxBytes }: AssetKind): number {
  return typeof maxBytes === 'function'
    ? maxBytes(settings.options)
    : (maxBytes ?? settings.options.sync.maxMediaBytes);
}

/** True if the file is stored and was checked recently. */
function isFresh(
  run: SyncRun,
  stored: StoredAsset | undefined,
  { headOnly, declared }: { headOnly: boolean; declared: AssetKind },
): boolean {
  if (!stored || declared.isOutgrown?.(stored)) return false;
  const { startedAt, settings } = run;
  const { recheckMediaHours, fullReadHours } = settings.options.sync;
  const hours = declared.isCheckedWithRecord ? fullReadHours : recheckMediaHours;
  const ageMs = startedAt.getTime() - Date.parse(stored.checkedAt);
  if (!(ageMs >= 0 && ageMs < hours * HOUR_MS)) return false;
  if (isKnownTooLarge(stored, maxBytesOf(run, declared))) return true;
  const hasFile = stored.file !== undefined && existsSync(path.join(settings.assetsFolder, stored.file));
  return stored.reachable && (headOnly || hasFile);
}

function watchHosts() {
  const silentInARow = new Map<string, number>();
  return {
    host: (host: string) => (silentInARow.get(host) ?? 0) >= MAX_SILENT_IN_A_ROW,
    heard: (host: string, { silent }: FetchedAsset) =>
      void silentInARow.set(host, silent ? (silentInARow.get(host) ?? 0) + 1 : 0),
  };
}

function warnOfLimits(
  run: SyncRun,
  asset: Pick<ReferencedAsset, 'address' | 'owner' | 'declared'>,
  stored: StoredAsset,
): void {
  const problem = asset.declared.noteOn?.(stored);
  if (problem !== undefined) warn(run, asset, { problem, advice: 'Replace it with a smaller file or a video.' });
}

const NOT_ALLOWED = `neither an upstream nor in \`${HOSTS_OPTION}\``;
const ADD_HOST = `Add the host to \`${HOSTS_OPTION}\` in src/sortiment.config.ts if its files may be fetched.`;
const CHECK_FILE = 'Open the address. If the file is missing or wrong, correct the record that refers to it.';

function warn(
  { issues, staging }: SyncRun,
  { address, owner }: { address: string; owner: string },
  { problem, advice }: { problem: string; advice?: string },
): void {
  const title = staging.titleOf(owner);
  issues.warning({
    kind: 'asset',
    id: displayUrl(stripSignature(address)),
    field: '',
    problem,
    advice: advice ?? (problem.includes(NOT_ALLOWED) ? ADD_HOST : CHECK_FILE),
    shown: `used by ${owner}${title === undefined ? '' : ` “${title}”`}`,
  });
}

/**
 * Holds back changed bytes of a declaration of performance, and keeps the published ones. A declaration must stay as
 * published (Delegated Regulation (EU) 157/2014); a new one needs a new address.
 */
function holdBackDeclaration(
  { snapshot, staging }: SyncRun,
  published: StoredAsset | undefined,
  fetched: StoredAsset,
): StoredAsset {
  const { digest, file, bytes, mimeType, fetchedAt } = fetched;
  if (fetched.kind !== 'document' || !published?.digest || !published.file || published.digest === digest)
    return fetched;
  if (!digest || !file || bytes === undefined || !mimeType || !fetchedAt) return fetched;
  staging.flush();
  if (findDeclarationOwners(snapshot.database, fetched.url).length === 0) return fetched;
  const { lastModified, etag, checkedAt } = fetched;
  const unaccepted = { digest, file, bytes, mimeType, lastModified, etag, fetchedAt };
  return { ...published, details: fetched.details, checkedAt, reachable: true, problem: undefined, unaccepted };
}

/**
 * Publishes pending bytes that are accepted.
 * @returns An alarm for each remaining change, in every run until it is accepted or reverted at the source.
 * @throws SortimentError CHANGES_REFUSED
 */
function publishAcceptedDeclarations({ snapshot, staging }: SyncRun, accept: string | undefined): Alarm[] {
  staging.flush();
  const { database } = snapshot;
  const pending = findPendingDocuments(database).flatMap((asset) => {
    const { url, digest: before = '', unaccepted } = asset;
    const gtins = findDeclarationOwners(database, url);
    return unaccepted ? [{ asset, unaccepted, gtins, digest: digestChanges([url, before, unaccepted.digest]) }] : [];
  });
  const declarations = pending.filter(({ gtins }) => gtins.length > 0);
  const all = digestChanges(declarations.map(({ digest }) => digest));
  const isAccepted = ({ digest, gtins }: (typeof pending)[number]) =>
    gtins.length === 0 || accept === digest || accept === all;
  const alarms = declarations.map(({ asset: { url, digest: before = '' }, unaccepted, gtins, digest }): Alarm => ({
    kind: 'declaration-changed',
    url,
    gtins,
    before,
    after: unaccepted.digest,
    accept: digest,
    ...(declarations.length > 1 && { acceptAll: all }),
  }));
  if (accept !== undefined && declarations.length > 0 && !declarations.some(isAccepted))
    throw createMismatchError(accept, alarms);
  for (const { asset, unaccepted } of pending.filter(isAccepted))
    staging.stageAsset({ ...asset, ...unaccepted, unaccepted: undefined });
  return alarms.filter(({ accept: digest }) => accept !== digest && accept !== all);
}

function createMismatchError(accept: string, alarms: readonly Alarm[]): SortimentError {
  return new SortimentError(
    'CHANGES_REFUSED',
    `\`--accept ${accept}\` matches none of the pending changes, so nothing was written:\n${alarms.map(describeAlarm).join('\n')}`,
    { hint: 'Pass the digest of the change you mean, or leave out `--accept`.' },
  );
}
