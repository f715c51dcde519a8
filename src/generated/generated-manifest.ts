import { DatabaseSync } from 'node:sqlite';
import { filesOfPart, toSize, type FilePart } from './file-parts.ts';
import { mergeReferences, type FileReferences } from './scan/scan-text.ts';

/** What a build keeps of a file that it has put beside the pages. */
export interface LedgerFile {
  /** Name of the output that it is of. */
  output: string;
  /** What it is made of, by name; undefined where that isn't said. */
  key: string | undefined;
  bytes: number;
  /** SHA-256 in hexadecimal. */
  digest: string;
  /** `FileReferences` as JSON. */
  references: string;
}

/** All files beside the pages, in the ledger of the pages and under its change. */
export interface OutputLedger {
  file(file: string): LedgerFile | undefined;
  /** Names of all outputs that have files. */
  names(): string[];
  filesOf(output: string): string[];
  /** The key of any file below a folder. */
  keyBelow(output: string, folder: string): string | undefined;
  /** All that is known of them. */
  entriesOf(output: string): [file: string, known: LedgerFile][];
  /** By their paths. */
  filesBelow(output: string, folder: string): (Omit<LedgerFile, 'references' | 'output'> & { file: string })[];
  /** Sizes of all. */
  sizes(): IteratorObject<[file: string, bytes: number]>;
  /** The files of a part, and their sizes. */
  part(part: FilePart): Iterable<[file: string, bytes: number]>;
  put(file: string, known: LedgerFile): void;
  remove(file: string): void;
}

export const OUTPUT_SCHEMA = `
-- Texts that rows share.
CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE outputs (
  file   TEXT PRIMARY KEY,
  output TEXT NOT NULL,
  key    TEXT,
  bytes  INTEGER NOT NULL,
  digest TEXT NOT NULL,
  refers INTEGER NOT NULL
) STRICT;
CREATE INDEX outputs_by_output ON outputs (output);
CREATE INDEX outputs_by_texts ON outputs (refers);
`;

/** From one to the next: each has very many files. */
const NAMES = `
WITH RECURSIVE names (output) AS (
  SELECT min(output) FROM outputs
  UNION ALL SELECT (SELECT min(output) FROM outputs WHERE output > names.output) FROM names WHERE output IS NOT NULL
)
SELECT output FROM names WHERE output IS NOT NULL`;

/** @returns Gives the id of a text in the table that rows share. */
export function sharedTexts(database: DatabaseSync): (text: string) => number {
  const put = database.prepare('INSERT INTO texts (text) VALUES (?)');
  const find = database.prepare('SELECT id FROM texts WHERE text = ?');
  return (text) => Number(find.get(text)?.['id'] ?? put.run(text).lastInsertRowid);
}

/** In memory, for a build from scratch, or for a thread of one. */
export function openMemoryManifest(): OutputLedger & { references(): FileReferences; close(): void } {
  const database = new DatabaseSync(':memory:');
  database.exec(`${OUTPUT_SCHEMA}; BEGIN`);
  const used = database.prepare('SELECT text FROM texts WHERE id IN (SELECT refers FROM outputs)');
  return {
    ...useOutputLedger(database, sharedTexts(database)),
    references: () => mergeReferences(used.all().map(({ text }) => String(text))),
    close: () => database.close(),
  };
}

/** @param idOf Of a text in the table that pages share. */
export function useOutputLedger(database: DatabaseSync, idOf: (text: string) => number): OutputLedger {
  const one = database.prepare('SELECT * FROM outputs JOIN texts ON texts.id = outputs.refers WHERE file = ?');
  const put = database.prepare('INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM outputs WHERE file = ?');
  return {
    file: (file) => {
      const row = one.get(file);
      return row && toLedgerFile(row);
    },
    names: () =>
      database
        .prepare(NAMES)
        .all()
        .map(({ output }) => String(output)),
    keyBelow: (output, folder) =>
      textOf(
        database
          .prepare('SELECT key FROM outputs WHERE file >= ? AND file < ? AND +output = ? LIMIT 1')
          .get(`${folder}/`, `${folder}0`, output)?.['key'],
      ),
    filesOf: (output) =>
      database
        .prepare('SELECT file FROM outputs WHERE output = ?')
        .all(output)
        .map(({ file }) => String(file)),
    entriesOf: (output) =>
      database
        .prepare('SELECT * FROM outputs JOIN texts ON texts.id = outputs.refers WHERE output = ?')
        .all(output)
        .map((row) => [String(row['file']), toLedgerFile(row)]),
    filesBelow: (output, folder) =>
      database
        .prepare(
          'SELECT file, key, bytes, digest FROM outputs WHERE file >= ? AND file < ? AND +output = ? ORDER BY file',
        )
        // The character behind the slash.
        .all(`${folder}/`, `${folder}0`, output)
        .map(toFile),
    sizes: function* () {
      for (const row of database.prepare('SELECT file, bytes FROM outputs').iterate()) yield toSize(row);
    },
    part: (part) => filesOfPart(database, 'outputs', part),
    put: (file, { output, key, bytes, digest, references }) =>
      void put.run(file, output, key ?? null, bytes, digest, idOf(references)),
    remove: (file) => void remove.run(file),
  };
}

function toLedgerFile(row: Record<string, unknown>): LedgerFile {
  const { key, bytes, digest } = toFile(row);
  return { output: String(row['output']), key, bytes, digest, references: String(row['text']) };
}

function toFile({ file, key, bytes, digest }: Record<string, unknown>) {
  return {
    file: String(file),
    key: textOf(key),
    bytes: Number(bytes),
    digest: String(digest),
  };
}

function textOf(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
