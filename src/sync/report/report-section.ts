/** A part of a report that is written as Markdown and as HTML alike. All texts are plain. */
export interface ReportSection {
  /** For links. */
  id: string;
  title: string;
  tone: 'plain' | 'alarm';
  paragraphs: string[];
  table: ReportTable | undefined;
}

export interface ReportTable {
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  /** Rows that are left out here. */
  omitted: number;
}

/** Rows that a page is still read to the end of. */
const MAX_ROWS = 300;

/** A table of the first of many. Undefined when there is nothing to list. */
export function tableOf<T>(
  head: readonly string[],
  items: readonly T[],
  toRow: (item: T) => readonly (string | number)[],
  maxRows: number = MAX_ROWS,
): ReportTable | undefined {
  if (items.length === 0) return undefined;
  return { head, rows: items.slice(0, maxRows).map(toRow), omitted: Math.max(0, items.length - maxRows) };
}
