import type { ImportKind, ImportOutcome } from '#contracts/import.ts';

/** Reason for skipped records, with their count and the names of the first ones. */
export interface ReportEntry {
  reason: string;
  count: number;
  which: string[];
}

/** Import counts of one kind of record. */
export interface KindReport {
  kind: ImportKind | 'settings' | 'product';
  found: number;
  added: number;
  /** Existing records that changed at the source. */
  updated: number;
  /** Unchanged since the last import, or already present under the same name. */
  unchanged: number;
  left: ReportEntry[];
  /** Imported with differences. */
  lost: ReportEntry[];
  /** Remarks about imported records. */
  notes: ReportEntry[];
}

export interface ImportReport {
  found(kind: KindReport['kind'], count: number): void;
  /** @param name Name or ID of the record at the source. */
  became(kind: KindReport['kind'], outcome: ImportOutcome['outcome'], name: string, note?: string): void;
  leave(kind: KindReport['kind'], reason: string, names: readonly string[], count?: number): void;
  lose(kind: KindReport['kind'], reason: string, names: readonly string[]): void;
  note(kind: KindReport['kind'], reason: string, names: readonly string[]): void;
  read(): KindReport[];
}

/** Limit per reason in the report. The printed output shows fewer. */
const MAX_NAMED = 1000;
const MAX_CHARACTERS = 300;

/** Counts found, imported and skipped records by kind. */
export function createImportReport(): ImportReport {
  const kinds = new Map<KindReport['kind'], KindReport>();
  const getReport = (kind: KindReport['kind']): KindReport => {
    const known = kinds.get(kind) ?? {
      kind,
      found: 0,
      added: 0,
      updated: 0,
      unchanged: 0,
      left: [],
      lost: [],
      notes: [],
    };
    kinds.set(kind, known);
    return known;
  };
  const report: ImportReport = {
    found: (kind, count) => void (getReport(kind).found += count),
    became(kind, outcome, name, note) {
      const counts = getReport(kind);
      if (outcome === 'kept' || outcome === 'refused') return report.leave(kind, note ?? 'could not be stored', [name]);
      if (outcome === 'met') counts.unchanged += 1;
      else counts[outcome] += 1;
      if (note === undefined) return;
      if (outcome === 'met') report.note(kind, note, [name]);
      else report.lose(kind, note, [name]);
    },
    leave: (kind, reason, names, count = names.length) => add(getReport(kind).left, reason, names, count),
    lose: (kind, reason, names) => add(getReport(kind).lost, reason, names, names.length),
    note: (kind, reason, names) => add(getReport(kind).notes, reason, names, names.length),
    read: () => [...kinds.values()],
  };
  return report;
}

function add(list: ReportEntry[], text: string, names: readonly string[], count: number): void {
  const reason = printable(text);
  const known = list.find((entry) => entry.reason === reason);
  const entry = known ?? { reason, count: 0, which: [] };
  entry.count += count;
  entry.which.push(...names.slice(0, MAX_NAMED - entry.which.length).map(printable));
  if (!known) list.push(entry);
}

/** Makes text of another server safe for a terminal: shortened and without control characters. */
function printable(text: string): string {
  const plain = text.slice(0, MAX_CHARACTERS).replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  return text.length > MAX_CHARACTERS ? `${plain}…` : plain;
}
