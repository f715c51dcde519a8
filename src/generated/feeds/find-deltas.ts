import { z } from 'zod';
import { storedChange, type StoredChange } from '#projection/public-changes.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** Products that changed since a previous snapshot. */
export interface Delta {
  /** Digest of the previous snapshot. */
  since: string;
  /** GTINs of products that were added, changed or removed, in any language. */
  gtins: ReadonlySet<string>;
}

type DeltaSource = Pick<SnapshotReader, 'runs' | 'assetOwners'>;

/** Maximum number of deltas. Older clients load everything. */
const MAX_DELTAS = 10;
/** Number of runs to read, including those without changes. */
const RUNS_TO_READ = 50;

const storedReport = z.object({
  changes: z.array(storedChange),
  counts: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number()))),
});
type StoredReport = z.output<typeof storedReport>;

/**
 * Finds the previous snapshots whose changes up to the current one are known. Their runs are consecutive and list every
 * change of a product.
 * @param digest Digest of the current snapshot.
 * @param isShown Returns false for changes that the feed doesn't show, such as hidden prices.
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
    // A digest may occur twice. The older occurrence has all changes for both.
    if (next !== digest) deltas.set(next, { since: next, gtins });
  }
  return [...deltas.values()];
}

function readReport(report: string | undefined): StoredReport | undefined {
  return report === undefined ? undefined : storedReport.safeParse(JSON.parse(report)).data;
}

/** Returns the changed products of a report. Undefined if it is incomplete. */
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
    // These may affect any product.
    if (kind === 'family' || kind === 'language') return undefined;
    if (kind === 'product' && isShown(change)) gtins.add(id);
    if (kind === 'assortment') {
      for (const { field } of fields) for (const gtin of field.match(/\d{13}/g) ?? []) gtins.add(gtin);
    }
  }
  // Products that referenced a file only earlier have changed since, and are included already.
  const files = report.changes.filter(({ kind }) => kind === 'asset');
  for (const { id: url } of files)
    for (const kind of ['image', 'document'] as const)
      for (const gtin of source.assetOwners({ url, kind })) gtins.add(gtin);
  return gtins;
}
