import { countNoun } from '#contracts/index.ts';

export interface FieldChange {
  /** Dotted path, such as `price` or `attributes[2].value`. */
  field: string;
  /** As received; undefined if there was no value. Long texts are shortened around the difference. */
  before: unknown;
  after: unknown;
}

export interface Change {
  /** `product`, `asset`, or the kind of another record. */
  kind: string;
  /** GTIN, id at the publishing site, address of an asset, language code, … */
  id: string;
  /** Products only. */
  language: string | undefined;
  /** Display name. */
  name: string;
  change: 'added' | 'changed' | 'removed';
  /** Empty unless `change` is `changed`, and if only the normaliser gives another result. */
  fields: FieldChange[];
}

export interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
}

/** Similar issues of many records, with the first one as the sample. */
export interface IssueGroup {
  /** Kind of the records, such as `product` or `asset`. */
  kind: string;
  /** Field without list positions; empty for the record itself. */
  field: string;
  /** Differing values are masked. */
  problem: string;
  /** Advice as an imperative; undefined if there is none. */
  advice: string | undefined;
  count: number;
  sample: {
    id: string;
    language: string | undefined;
    /** The offending value as shortened JSON; undefined if there is none. */
    wire: string | undefined;
  };
  /** The first distinct examples with their values, such as `9524010000016 de-de: "n/a"`. */
  examples: string[];
  /** Up to 200 records, such as `9524010000016 de-de`. */
  records: string[];
}

/** Number of records that an issue affects. */
export interface AffectedRecords {
  count: number;
  /** Number of records whose earlier version stays in use; the others are not on the site. */
  withLastGood: number;
}

/** Result of a source in a run. */
export interface SourceReport {
  name: 'product' | 'publishing';
  /** `last-good`, `skipped`: the source could not be read, and its stored content stays. */
  outcome: 'read' | 'last-good' | 'skipped';
  /** When it was last read completely, ISO; undefined if never. */
  asOf: string | undefined;
  /** Why it could not be read. */
  problem: string | undefined;
  /** Namespaces of the publishing site that the sync doesn't use. */
  unused?: string[];
}

/** A missing product whose removal is not yet confirmed. */
export interface AwaitedRemoval {
  gtin: string;
  language: string;
  /** ISO. */
  since: string;
  /** Number of consecutive runs. */
  runs: number;
  /** Number of further runs in which it must be missing; at least 1. */
  runsLeft: number;
  /** Earliest time of the removal, ISO. */
  notBefore: string;
}

/** An event that needs attention although the run succeeded. */
export interface Alarm {
  /** The bytes of a declaration of performance have changed. The published ones stay until the change is accepted. */
  kind: 'declaration-changed';
  url: string;
  gtins: string[];
  /** SHA-256 of the bytes, hex. */
  before: string;
  after: string;
  /** Arguments of `--accept` that publish the new bytes of this alarm, or of all alarms if there are several. */
  accept?: string | undefined;
  acceptAll?: string | undefined;
}

export interface AssetCounts {
  /** Number of addresses in the records. */
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
  /** Digest of the catalogue after the run. */
  digest: string;
  previousDigest: string | undefined;
  /** Kind -> language (`''` if a kind has none) -> counts. Contains only changed kinds. */
  counts: Record<string, Record<string, ChangeCounts>>;
  changes: Change[];
  /** Unusable records; their last good versions stay. */
  problems: IssueGroup[];
  /** Drift and minor problems; the records are used. */
  warnings: IssueGroup[];
  /** Records that could not be read; their last good versions stay. */
  unreachable: IssueGroup[];
  invalidRecords: AffectedRecords;
  unreachableRecords: AffectedRecords;
  awaitedRemovals: AwaitedRemoval[];
  alarms: Alarm[];
  sources: SourceReport[];
  /** Number of records taken over from an unfinished run. */
  resumed: number;
  /** Number of these that this run could not compare with the interface, and when they were read, ISO. */
  uncompared: { count: number; asOf: string | undefined };
  /** When the page heads were read, if this run had no reason to read them again, ISO. */
  headsAsOf?: string | undefined;
  /** Number of records that `--max-requests` or `--max-minutes` left for the next run. */
  unasked: number;
  assets: AssetCounts;
  /** Result of each hook's message. */
  hooks: { hook: string; outcome: 'delivered' | 'pending' | 'dead' | 'skipped' | 'live' }[];
  /** Path of the full HTML report; undefined if it could not be written. */
  reportFile?: string | undefined;
  requests: number;
  /** Size of the received bodies. */
  bytes: number;
  durationMs: number;
}

export function totalChanges(counts: SyncReport['counts']): ChangeCounts {
  const totals: ChangeCounts = { added: 0, changed: 0, removed: 0 };
  for (const tally of Object.values(counts).flatMap((byLanguage) => Object.values(byLanguage))) {
    totals.added += tally.added;
    totals.changed += tally.changed;
    totals.removed += tally.removed;
  }
  return totals;
}

/** Summarises a run in one line: `Changed: 0 added, 1 changed, 0 removed; …; digest abababababab.` */
export function summariseRun(report: SyncReport): string {
  const { changed, counts, warnings, assets, requests, bytes, durationMs, digest, hooks } = report;
  const totals = totalChanges(counts);
  const parts = [
    ...countIfAny(report.alarms.length, 'alarm'),
    changed ? `${totals.added} added, ${totals.changed} changed, ${totals.removed} removed` : describeUnchanged(report),
    ...describeUncompared(report),
    ...describeHeads(report),
    ...countIfAny(report.awaitedRemovals.length, 'awaited removal'),
    `${assets.fetched} of ${assets.referenced} files fetched`,
    ...countIfAny(report.unreachableRecords.count, 'record', 'not readable'),
    ...countIfAny(report.invalidRecords.count, 'record', 'invalid'),
    ...countIfAny(sum(warnings), 'warning'),
    ...(report.resumed > 0 ? [`${report.resumed} continued from an interrupted sync`] : []),
    ...(report.unasked > 0 ? [`${report.unasked} left for the next sync`] : []),
    ...hooks.map(({ hook, outcome }) => `hook ${hook} ${outcome}`),
    `${requests} requests and ${describeSize(bytes)} in ${(durationMs / 1000).toFixed(1)} s`,
    `digest ${digest.slice(0, 12)}`,
  ];
  return `${changed ? 'Changed' : 'Unchanged'}: ${parts.join('; ')}.`;
}

export function sum(groups: readonly { count: number }[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}

function countIfAny(number: number, noun: string, what = ''): string[] {
  return number === 0 ? [] : [`${countNoun(number, noun)} ${what}`.trim()];
}

/** Limits the statement to the records that this run compared. */
function describeUnchanged({ unasked, uncompared, unreachableRecords }: SyncReport): string {
  const isComplete = unasked === 0 && uncompared.count === 0 && unreachableRecords.count === 0;
  return isComplete ? 'nothing changed' : 'nothing changed in what was compared';
}

/** Servers without a list of heads don't report a head that changes without its page. */
function describeHeads({ changed, headsAsOf }: SyncReport): string[] {
  if (changed || headsAsOf === undefined) return [];
  return [`page heads are as of ${headsAsOf} (\`npm run sync -- --full=publishing\` reads them again)`];
}

function describeUncompared({ uncompared: { count, asOf } }: SyncReport): string[] {
  if (count === 0 || asOf === undefined) return [];
  const verb = count === 1 ? 'is' : 'are';
  return [
    `${countNoun(count, 'record')} ${verb} as of ${asOf}, when the interrupted sync read ${count === 1 ? 'it' : 'them'}`,
  ];
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats bytes in human-readable form: `1.2 MB`. */
export function describeSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
