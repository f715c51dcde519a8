import {
  commitStaging,
  listStagedChanges,
  type CommitResult,
  type ReadSource,
  type SnapshotReader,
  type StoredRun,
  readQueue,
} from '#snapshot/index.ts';
import { sourceNames } from '#contracts/product/product-fields.ts';
import { composeMessage } from './hooks/compose-message.ts';
import type { Issue } from './report/collect-issues.ts';
import { countChanges, describeChange } from './report/format-report.ts';
import type { Alarm, AssetCounts, Change, SourceReport, SyncReport } from './report/sync-report.ts';
import type { SyncRun } from './sync-options.ts';

export interface CommitRunInput {
  /** Sources that were read completely. */
  read: ReadSource[];
  sources: SourceReport[];
  assets: AssetCounts;
  alarms: Alarm[];
  /** Further warnings, computed from the snapshot after the commit. */
  inspect: ((snapshot: SnapshotReader) => Issue[]) | undefined;
  now: () => Date;
}

/** Maximum number of changes in a stored report. Those of the first snapshot are all additions and omitted. */
const MAX_STORED_CHANGES = 2000;

/**
 * Commits the staged run to the snapshot in one transaction, with its report and, if anything changed, one message per
 * hook.
 */
export function commitRun(run: SyncRun, { read, sources, assets, alarms, inspect, now }: CommitRunInput): SyncReport {
  const { database } = run.snapshot;
  const { fields } = run.settings.options.product;
  // Describe changes one by one: the records of a first run would exhaust the memory.
  const changes = Array.from(listStagedChanges(database), (staged) => describeChange(staged, fields));
  const counts = countChanges(changes);
  let report: SyncReport | undefined;
  commitStaging(database, {
    at: run.startedAt,
    sources: read,
    extraFields: sourceNames(fields),
    failedSources: sources.flatMap(({ name, outcome, problem = '' }) =>
      outcome === 'last-good' ? [{ name, problem }] : [],
    ),
    conclude: (outcome) => {
      const finishedAt = now();
      for (const { kind, id, warnings } of run.snapshot.recordWarnings())
        for (const warning of warnings) run.issues.warning({ kind, id, ...warning });
      for (const issue of inspect?.(run.snapshot) ?? []) run.issues.warning(issue);
      report = {
        runId: run.id,
        startedAt: run.startedAt.toISOString(),
        ...outcome,
        counts,
        changes,
        ...run.issues.list(),
        ...run.tally,
        alarms,
        sources,
        assets,
        hooks: [],
        requests: run.transport.requests,
        bytes: run.transport.bytes,
        durationMs: finishedAt.getTime() - run.startedAt.getTime(),
      };
      const committed = report;
      const hooks = outcome.changed ? run.settings.options.hooks : [];
      return {
        run: storedRun(report, outcome, finishedAt),
        messages: hooks.flatMap(
          (hook) => composeMessage(hook, committed, readQueue(database, hook.name), finishedAt) ?? [],
        ),
      };
    },
  });
  if (!report) throw new Error('The commit was not concluded.');
  return report;
}

/** Removes the name of a record that the publishing site has withdrawn. */
function withoutWithdrawn(change: Change): Change {
  return change.change === 'removed' && change.kind !== 'product' ? { ...change, name: '' } : change;
}

function storedRun(report: SyncReport, { changed }: CommitResult, finishedAt: Date): StoredRun {
  const { runId, startedAt, digest, previousDigest, requests } = report;
  const changes = previousDigest === undefined ? [] : report.changes.slice(0, MAX_STORED_CHANGES).map(withoutWithdrawn);
  const awaitedRemovals = report.awaitedRemovals.slice(0, MAX_STORED_CHANGES);
  return {
    id: runId,
    startedAt,
    finishedAt: finishedAt.toISOString(),
    changed,
    digest,
    previousDigest,
    requests,
    report: changed ? JSON.stringify({ ...report, changes, awaitedRemovals }) : undefined,
  };
}
