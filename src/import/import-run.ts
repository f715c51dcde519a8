import type { ImportKind } from '#contracts/import.ts';
import type { ImportReport } from './import-report.ts';
import type { SiteConnection } from './connect-site.ts';
import type { Destination } from './destination.ts';

/** State that the steps of an import share. */
export interface ImportRun extends SiteConnection {
  destination: Destination;
  report: ImportReport;
  /** IDs of users that were sent. */
  authors: Set<number>;
  /** IDs of records at the source, by kind. */
  seen: Map<ImportKind, Set<number>>;
  /** Further addresses of files, such as `https://cdn.example.com`. */
  filesFrom: readonly string[];
  /** Reports the progress of a kind. */
  progress(kind: ImportKind, total: number | undefined): void;
}
