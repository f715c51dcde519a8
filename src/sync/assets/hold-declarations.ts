import { createHash } from 'node:crypto';
import { SortimentError } from '#contracts/index.ts';
import { findDeclarationOwners, findUnaccepted, type StoredAsset } from '#snapshot/index.ts';
import type { Alarm } from '../report/sync-report.ts';
import { wordAlarm } from '../report/word-alarm.ts';
import type { SyncRun } from '../sync-run.ts';

/**
 * A declaration of performance must stay as it was published (Delegated Regulation (EU) 157/2014); another one belongs at
 * another address. So bytes that differ are held back, and the published ones stay.
 */
export function holdDeclaration(
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
  return { ...published, checkedAt, reachable: true, problem: undefined, unaccepted };
}

/**
 * Publishes held back bytes that are accepted.
 * @returns An alarm for each of the others, in every run until they are accepted or the source has the published ones
 *   again.
 * @throws SortimentError CHANGES_REFUSED
 */
export function recordDeclarations({ snapshot, staging }: SyncRun, accept: string | undefined): Alarm[] {
  staging.flush();
  const { database } = snapshot;
  const waiting = findUnaccepted(database).flatMap((asset) => {
    const { url, digest: before = '', unaccepted } = asset;
    const gtins = findDeclarationOwners(database, url);
    return unaccepted ? [{ asset, unaccepted, gtins, digest: digestOf([url, before, unaccepted.digest]) }] : [];
  });
  const declarations = waiting.filter(({ gtins }) => gtins.length > 0);
  const all = digestOf(declarations.map(({ digest }) => digest));
  const isAccepted = ({ digest, gtins }: (typeof waiting)[number]) =>
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
  if (accept !== undefined && declarations.length > 0 && !declarations.some(isAccepted)) throw refusal(accept, alarms);
  for (const { asset, unaccepted } of waiting.filter(isAccepted))
    staging.stageAsset({ ...asset, ...unaccepted, unaccepted: undefined });
  return alarms.filter(({ accept: own }) => accept !== own && accept !== all);
}

/** Stands for exactly these bytes, so that it lets nothing else through. */
function digestOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

function refusal(accept: string, alarms: readonly Alarm[]): SortimentError {
  return new SortimentError(
    'CHANGES_REFUSED',
    [
      `\`--accept ${accept}\` is for none of the changes that wait, so nothing was written:`,
      ...alarms.map(wordAlarm),
    ].join('\n'),
    { hint: 'Sync with the digest of the change that you mean, or without `--accept`.' },
  );
}
