import type { ImportKind } from '#contracts/import.ts';
import type { ImportReport } from './import-report.ts';
import type { ConnectedSite } from './connect-site.ts';
import type { Destination } from './destination.ts';

/** What the steps of an import share. */
export interface ImportRun extends ConnectedSite {
  destination: Destination;
  report: ImportReport;
  /** Ids of users that were sent. */
  authors: Set<number>;
  /** Ids of records that are there, by their kind. */
  seen: Map<ImportKind, Set<number>>;
  /** Further addresses that files may lie at, `https://cdn.example.com`. */
  filesFrom: readonly string[];
  /** Says how far a kind is. */
  progress(kind: ImportKind, total: number | undefined): void;
}
