import type { RecordKind } from '../snapshot/index.ts';

/** What a change can be about. */
export type ChangeKind = RecordKind | 'product' | 'asset';

export interface FieldChange {
  /** Dotted path, such as `price` or `attributes[2].value`. */
  field: string;
  /** As on the wire; undefined where there was nothing. Long texts are shortened around the difference. */
  before: unknown;
  after: unknown;
}

export interface Change {
  kind: ChangeKind;
  /** GTIN, id at the publishing site, address of an asset, language code, ... */
  id: string;
  /** Products only. */
  language: string | undefined;
  /** What a person calls it. */
  name: string;
  change: 'added' | 'changed' | 'removed';
  /** For `changed`; empty when only our own reading of the record changed. */
  fields: FieldChange[];
}

export interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
}

/** Alike issues of many records as one, with the first of them as the sample. */
export interface IssueGroup {
  /** What it is about, such as `product` or `asset`. */
  kind: ChangeKind | 'hook' | 'source';
  /** Field of the record, list positions left out; empty for the record itself. */
  field: string;
  /** The sample's own wording. */
  problem: string;
  count: number;
  sample: {
    id: string;
    language: string | undefined;
    /** The value that shows it, as JSON, shortened; undefined when there is none to show. */
    wire: string | undefined;
  };
}

export interface AssetCounts {
  /** Addresses that the records name. */
  referenced: number;
  /** Fetched with new bytes. */
  fetched: number;
  /** Confirmed by the server as unchanged, or fetched with the same bytes. */
  unchanged: number;
  failed: number;
  /** On hosts that are neither an upstream's nor in `mediaHosts`. */
  notAllowed: number;
  /** Bytes fetched in this run. */
  bytes: number;
}

export interface SyncReport {
  runId: string;
  startedAt: string;
  changed: boolean;
  /** Of the catalogue after the run. */
  digest: string;
  previousDigest: string | undefined;
  /** Kind -> language (`''` where a kind has none) -> counts. Only what changed is listed. */
  counts: Partial<Record<ChangeKind, Record<string, ChangeCounts>>>;
  changes: Change[];
  /** Records that couldn't be used; the last good ones stay. */
  problems: IssueGroup[];
  /** Drift and failures that the records survive. */
  warnings: IssueGroup[];
  assets: AssetCounts;
  /** Hook -> what became of its message. */
  hooks: { hook: string; outcome: 'delivered' | 'pending' | 'dead' | 'skipped' }[];
  requests: number;
  durationMs: number;
}
