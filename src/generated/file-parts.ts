import type { DatabaseSync } from 'node:sqlite';

/** One part of all: `of` parts, numbered from 0, hold each file once. */
export interface FilePart {
  part: number;
  of: number;
}

/** The files of a part of a table, and their sizes. A file that isn't written again stays in its part. */
export function* filesOfPart(
  database: DatabaseSync,
  table: string,
  { part, of }: FilePart,
): Generator<[file: string, bytes: number]> {
  // An index says which they are: to read all rows takes three times as long.
  const rows = database.prepare(
    `SELECT file, bytes FROM (SELECT rowid AS place FROM ${table} WHERE rowid % ? = ?) JOIN ${table} ON rowid = place`,
  );
  for (const row of rows.iterate(of, part)) yield toSize(row);
}

/** Files from all over a table, the same as long as it is the same: each once, so fewer where there aren't as many. */
export function sampleFiles(database: DatabaseSync, table: string, size: number): [file: string, bytes: number][] {
  const last = Number(database.prepare(`SELECT max(rowid) AS last FROM ${table}`).get()?.['last'] ?? 0);
  const next = database.prepare(`SELECT file, bytes FROM ${table} WHERE rowid >= ? LIMIT 1`);
  const places = Array.from({ length: last === 0 ? 0 : size }, (_, i) => 1 + Math.floor((i * last) / size));
  const rows = places.map((place) => next.get(place)).filter((row) => row !== undefined);
  return [...new Map(rows.map(toSize))];
}

export function toSize(row: Record<string, unknown>): [file: string, bytes: number] {
  return [String(row['file']), Number(row['bytes'])];
}
