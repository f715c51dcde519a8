import type { DatabaseSync } from 'node:sqlite';

/** Files of a table and their sizes, as chance gives them: each at most once, so fewer where there aren't as many. */
export function sampleFiles(database: DatabaseSync, table: string, size: number): [file: string, bytes: number][] {
  const last = Number(database.prepare(`SELECT max(rowid) AS last FROM ${table}`).get()?.['last'] ?? 0);
  const next = database.prepare(`SELECT file, bytes FROM ${table} WHERE rowid >= ? LIMIT 1`);
  const rows = Array.from({ length: last === 0 ? 0 : size }, () => next.get(1 + Math.floor(Math.random() * last)));
  return [...new Map(rows.flatMap((row) => (row ? [toSize(row)] : [])))];
}

export function toSize(row: Record<string, unknown>): [file: string, bytes: number] {
  return [String(row['file']), Number(row['bytes'])];
}
