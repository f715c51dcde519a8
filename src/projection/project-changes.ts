import { z } from 'zod';
import type { StoredRun } from '#snapshot/index.ts';
import { publicChanges, storedChange } from './public-changes.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';

const MAX_RUNS = 50;
const MAX_CHANGES = 1000;
/** The snapshot keeps at most a hundred runs that changed nothing between those that did. */
const RUNS_TO_READ = MAX_RUNS + 100;

const storedCounts = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number())));
const storedReport = z.object({ changes: z.array(storedChange), counts: storedCounts });

type StoredReport = z.output<typeof storedReport>;

/** Published kinds; the others are how the catalogue is made. */
const KINDS = new Set(['product', 'post', 'page', 'episode']);

/**
 * The last runs that changed the catalogue, newest first, with what they changed: only what the site itself shows,
 * so neither problems nor addresses of upstreams, and prices as the site states them, if it does.
 */
export function* projectChanges(source: LoaderSource): Generator<ProjectedEntry> {
  const describe = publicChanges(source);
  const runs = source.snapshot.runs(RUNS_TO_READ).filter(({ changed }) => changed);
  let room = MAX_CHANGES;
  for (const run of runs.slice(0, MAX_RUNS)) {
    const report = readReport(run);
    const changes = report?.changes.flatMap(describe) ?? [];
    const listed = changes.slice(0, room);
    room -= listed.length;
    yield {
      id: run.id,
      data: {
        at: run.finishedAt,
        digest: run.digest,
        ...(run.previousDigest !== undefined && { previousDigest: run.previousDigest }),
        complete: report !== undefined && isWhole(report) && listed.length === changes.length,
        changes: listed,
      },
    };
    if (room === 0) return;
  }
}

function readReport({ report }: StoredRun): StoredReport | undefined {
  if (report === undefined) return undefined;
  return storedReport.safeParse(JSON.parse(report)).data;
}

/** Whether the stored report lists all that it counts: long ones are cut, and a first one lists nothing. */
function isWhole({ changes, counts }: StoredReport): boolean {
  const counted = Object.entries(counts)
    .filter(([kind]) => KINDS.has(kind))
    .flatMap(([, byLanguage]) => Object.values(byLanguage))
    .flatMap((tally) => Object.values(tally));
  return changes.filter(({ kind }) => KINDS.has(kind)).length >= counted.reduce((sum, count) => sum + count, 0);
}
