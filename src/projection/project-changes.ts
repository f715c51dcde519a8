import { z } from 'zod';
import type { StoredRun } from '#snapshot/index.ts';
import { createChangeMapper, storedChange } from './public-changes.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';

const MAX_RUNS = 50;
const MAX_CHANGES = 1000;
/** The snapshot stores at most a hundred runs without changes between those with changes. */
const RUNS_TO_READ = MAX_RUNS + 100;

const storedCounts = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number())));
const storedReport = z.object({ changes: z.array(storedChange), counts: storedCounts });

type StoredReport = z.output<typeof storedReport>;

/** Kinds that are published; the others are internal. */
const KINDS = new Set(['product', 'post', 'page', 'episode']);

/**
 * Lists the latest runs with changes, newest first, with the changes that the site shows. Problems and upstream
 * addresses are omitted; prices appear as the site shows them.
 */
export function* projectChanges(source: LoaderSource): Generator<ProjectedEntry> {
  const describe = createChangeMapper(source);
  const runs = source.snapshot.runs(RUNS_TO_READ).filter(({ changed }) => changed);
  let remaining = MAX_CHANGES;
  for (const run of runs.slice(0, MAX_RUNS)) {
    const report = readReport(run);
    const changes = report?.changes.flatMap(describe) ?? [];
    const listed = changes.slice(0, remaining);
    remaining -= listed.length;
    yield {
      id: run.id,
      data: {
        at: run.finishedAt,
        digest: run.digest,
        ...(run.previousDigest !== undefined && { previousDigest: run.previousDigest }),
        complete: report !== undefined && isComplete(report) && listed.length === changes.length,
        changes: listed,
      },
    };
    if (remaining === 0) return;
  }
}

function readReport({ report }: StoredRun): StoredReport | undefined {
  if (report === undefined) return undefined;
  return storedReport.safeParse(JSON.parse(report)).data;
}

/**
 * True if the stored report lists all changes that it counts. Long reports are truncated, and the first one lists none.
 */
function isComplete({ changes, counts }: StoredReport): boolean {
  const counted = Object.entries(counts)
    .filter(([kind]) => KINDS.has(kind))
    .flatMap(([, byLanguage]) => Object.values(byLanguage))
    .flatMap((tally) => Object.values(tally));
  return changes.filter(({ kind }) => KINDS.has(kind)).length >= counted.reduce((sum, count) => sum + count, 0);
}
