export interface FieldChange {
  /** Dotted path, such as `price` or `attributes[2].value`. */
  field: string;
  /** As on the wire; undefined where there was nothing. Long texts are shortened around the difference. */
  before: unknown;
  after: unknown;
}

export interface Change {
  /** `product`, `asset`, or the kind of another record. */
  kind: string;
  /** GTIN, id at the publishing site, address of an asset, language code, ... */
  id: string;
  /** Products only. */
  language: string | undefined;
  /** Its name, for people. */
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

/** Similar issues of many records as one, with the first as the sample. */
export interface IssueGroup {
  /** What it is about, such as `product` or `asset`. */
  kind: string;
  /** Field of the record, list positions left out; empty for the record itself. */
  field: string;
  /** Of all of them: values that differ are left out. */
  problem: string;
  /** What to do about it; undefined where there is nothing to say. */
  advice: string | undefined;
  count: number;
  sample: {
    id: string;
    language: string | undefined;
    /** The value that shows it, as JSON, shortened; undefined when there is none to show. */
    wire: string | undefined;
  };
  /** `9524010000016 de-de: "n/a"`: the first different ones, each with its own value. */
  examples: string[];
  /** `9524010000016 de-de`: the first of them, at most 200. */
  records: string[];
}

/** How many records something is about. */
export interface AffectedRecords {
  count: number;
  /** Of these an earlier version stays in use; the others are not on the site. */
  withLastGood: number;
}

/** The outcome of a source in a run. */
export interface SourceReport {
  name: 'product' | 'publishing';
  /** `last-good` and `skipped`: it could not be read, and what is stored of it stays. */
  outcome: 'read' | 'last-good' | 'skipped';
  /** When it was last read to its end, ISO; undefined when it never was. */
  asOf: string | undefined;
  /** Why it could not be read. */
  problem: string | undefined;
  /** Namespaces of the publishing site that nothing is read from. */
  unused?: string[];
}

/** A product that the interface no longer knows, but not for long enough to be removed. */
export interface AwaitedRemoval {
  gtin: string;
  language: string;
  /** ISO. */
  since: string;
  /** Runs in a row. */
  runs: number;
  /** Further runs in which it must be missing, this one not counted; at least 1. */
  runsLeft: number;
  /** ISO: no run before this moment removes it. */
  notBefore: string;
}

/** Something that needs attention although the run succeeded. */
export interface Alarm {
  /** The bytes behind a declaration of performance changed. It must stay as it was published, and it does until accepted. */
  kind: 'declaration-changed';
  /** Without signatures. */
  url: string;
  gtins: string[];
  /** SHA-256 of the bytes, hex. */
  before: string;
  after: string;
  /** What `--accept` takes to publish the new bytes, and to publish those of all alarms where there are several. */
  accept?: string | undefined;
  acceptAll?: string | undefined;
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
  counts: Record<string, Record<string, ChangeCounts>>;
  changes: Change[];
  /** Unusable records; the last good versions stay. */
  problems: IssueGroup[];
  /** Drift and minor problems; the records are used. */
  warnings: IssueGroup[];
  /** Records whose requests failed for good; the last good versions stay. */
  unreachable: IssueGroup[];
  /** Records that `problems` are about. */
  invalidRecords: AffectedRecords;
  /** Records that `unreachable` is about. */
  unreachableRecords: AffectedRecords;
  awaitedRemovals: AwaitedRemoval[];
  alarms: Alarm[];
  sources: SourceReport[];
  /** Records taken over from an unfinished run. */
  resumed: number;
  /**
   * Of these, records that could not be compared with the interface in this run, with the moment (ISO) when they were
   * read.
   */
  uncompared: { count: number; asOf: string | undefined };
  /** When page heads were read that this run had no reason to read again, ISO; undefined if there are none. */
  headsAsOf?: string | undefined;
  /** Records that `--max-requests` or `--max-minutes` left for the next run. */
  unasked: number;
  assets: AssetCounts;
  /** Hook -> what became of its message. */
  hooks: { hook: string; outcome: 'delivered' | 'pending' | 'dead' | 'skipped' | 'live' }[];
  /** The full report, an HTML page. Undefined if it could not be written. */
  reportFile?: string | undefined;
  requests: number;
  /** Bytes of bodies, as they came over the wire. */
  bytes: number;
  durationMs: number;
}
