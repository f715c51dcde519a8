import { z } from 'zod';
import { storedChange, type StoredChange } from '#projection/public-changes.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** What has become of products since an earlier state of the catalogue. */
export interface Delta {
  /** Digest of that state. */
  since: string;
  /** GTINs of products that were added, changed or removed, in any language. */
  gtins: ReadonlySet<string>;
}

type DeltaSource = Pick<SnapshotReader, 'runs' | 'assetOwners'>;

/** Whoever is further behind fetches everything. */
const MAX_DELTAS = 10;
/** Runs that have changed nothing stand between those that have. */
const RUNS_TO_READ = 50;

const storedReport = z.object({
  changes: z.array(storedChange),
  counts: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number()))),
});
type StoredReport = z.output<typeof storedReport>;

/**
 * Finds the earlier states whose changes up to the current one are known: those of runs that follow each other and list
 * every change of a product.
 * @param digest Of the current state.
 * @param isShown False for a change of a product that the feed doesn't show, such as that of a hidden price.
 */
export function findDeltas(
  source: DeltaSource,
  digest: string | undefined,
  isShown: (change: StoredChange) => boolean = () => true,
): Delta[] {
  const deltas = new Map<string, Delta>();
  let gtins: ReadonlySet<string> = new Set();
  let next = digest;
  for (const run of source.runs(RUNS_TO_READ).filter(({ changed }) => changed)) {
    const changed = run.digest === next ? changedProducts(source, readReport(run.report), isShown) : undefined;
    if (!changed || run.previousDigest === undefined || deltas.size === MAX_DELTAS) break;
    gtins = new Set([...gtins, ...changed]);
    next = run.previousDigest;
    // The same state may have been there twice, and who has it doesn't know which: the longer way holds for both.
    if (next !== digest) deltas.set(next, { since: next, gtins });
  }
  return [...deltas.values()];
}

function readReport(report: string | undefined): StoredReport | undefined {
  return report === undefined ? undefined : storedReport.safeParse(JSON.parse(report)).data;
}

/** Undefined when a report doesn't say it. */
function changedProducts(
  source: DeltaSource,
  report: StoredReport | undefined,
  isShown: (change: StoredChange) => boolean,
): Set<string> | undefined {
  if (!report) return undefined;
  const counted = Object.values(report.counts)
    .flatMap((byLanguage) => Object.values(byLanguage))
    .flatMap((tally) => Object.values(tally))
    .reduce((sum, count) => sum + count, 0);
  if (report.changes.length < counted) return undefined;
  const gtins = new Set<string>();
  for (const change of report.changes) {
    const { kind, id, fields } = change;
    // They may be part of any product.
    if (kind === 'family' || kind === 'language') return undefined;
    if (kind === 'product' && isShown(change)) gtins.add(id);
    if (kind === 'assortment') {
      for (const { field } of fields) for (const gtin of field.match(/\d{13}/g) ?? []) gtins.add(gtin);
    }
  }
  // Who named a file then and doesn't any more has changed since, and so is part of the way already.
  const files = report.changes.filter(({ kind }) => kind === 'asset');
  for (const { id: url } of files)
    for (const kind of ['image', 'document'] as const)
      for (const gtin of source.assetOwners({ url, kind })) gtins.add(gtin);
  return gtins;
}
