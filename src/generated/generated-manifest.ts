import type { DatabaseSync } from 'node:sqlite';
import { cachedStatements } from '#snapshot/index.ts';

export interface ManifestFile {
  generator: string;
  /** Key of its sources. Undefined if the generator doesn't state one. */
  key: string | undefined;
  bytes: number;
  /** SHA-256 in hexadecimal. */
  digest: string;
  /** References as returned by `findReferences`, in JSON. */
  references: string;
}

/** Access to all generated files in the build manifest, within its transaction. */
export type GeneratedManifest = ReturnType<typeof createGeneratedManifest>;

export const GENERATED_SCHEMA = `
-- Texts that rows share.
CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE generated_files (
  file   TEXT PRIMARY KEY,
  generator TEXT NOT NULL,
  key    TEXT,
  bytes  INTEGER NOT NULL,
  digest TEXT NOT NULL,
  refers INTEGER NOT NULL
) STRICT;
CREATE INDEX generated_files_by_generator ON generated_files (generator);
CREATE INDEX generated_files_by_texts ON generated_files (refers);
`;

/** Number of cached texts. Adjacent files have most texts in common. */
const MAX_KNOWN_TEXTS = 1000;

/** @returns Returns the ID of a text in the shared table, which it inserts if necessary. */
export function createTextTable(database: DatabaseSync): (text: string) => number {
  const put = database.prepare('INSERT INTO texts (text) VALUES (?)');
  const find = database.prepare('SELECT id FROM texts WHERE text = ?');
  const ids = new Map<string, number>();
  return (text) => {
    const id = ids.get(text) ?? Number(find.get(text)?.['id'] ?? put.run(text).lastInsertRowid);
    if (ids.size >= MAX_KNOWN_TEXTS) ids.clear();
    ids.set(text, id);
    return id;
  };
}

/** `0` follows `/` in the character set. */
const BELOW = 'FROM generated_files WHERE file >= ? AND file < ? AND +generator = ?';

/** @param idOf Returns the ID of a text in the shared table. */
export function createGeneratedManifest(database: DatabaseSync, idOf: (text: string) => number) {
  const { getOne, getAll } = cachedStatements(database);
  const put = database.prepare('INSERT OR REPLACE INTO generated_files VALUES (?, ?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM generated_files WHERE file = ?');
  return {
    file: (file: string): ManifestFile | undefined => {
      const row = getOne('SELECT * FROM generated_files JOIN texts ON texts.id = refers WHERE file = ?', file);
      return row && { ...toFile(row), generator: String(row['generator']), references: String(row['text']) };
    },
    /** Returns the names of all generators with files. */
    names: () => getAll('SELECT DISTINCT generator FROM generated_files').map(({ generator }) => String(generator)),
    /** Returns the key of any file below a folder. */
    keyBelow: (generator: string, folder: string) =>
      textOf(getOne(`SELECT key ${BELOW} LIMIT 1`, `${folder}/`, `${folder}0`, generator)?.['key']),
    filesOf: (generator: string) =>
      getAll('SELECT file FROM generated_files WHERE generator = ?', generator).map(({ file }) => String(file)),
    /** Returns the files of a generator below a folder, sorted by path. */
    filesBelow: (generator: string, folder: string) =>
      getAll(`SELECT file, key, bytes, digest ${BELOW} ORDER BY file`, `${folder}/`, `${folder}0`, generator).map(
        toFile,
      ),
    files: () => getAll('SELECT file FROM generated_files').map(({ file }) => String(file)),
    put: (file: string, { generator, key, bytes, digest, references }: ManifestFile): void =>
      void put.run(file, generator, key ?? null, bytes, digest, idOf(references)),
    remove: (file: string): void => void remove.run(file),
  };
}

function toFile({ file, key, bytes, digest }: Record<string, unknown>) {
  return { file: String(file), key: textOf(key), bytes: Number(bytes), digest: String(digest) };
}

/** Returns the text of a column; undefined for NULL. */
export function textOf(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
