import type { DatabaseSync } from 'node:sqlite';

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

/** @param idOf Returns the ID of a text in the shared table. */
export function createGeneratedManifest(database: DatabaseSync, idOf: (text: string) => number) {
  const one = database.prepare(
    'SELECT * FROM generated_files JOIN texts ON texts.id = generated_files.refers WHERE file = ?',
  );
  const put = database.prepare('INSERT OR REPLACE INTO generated_files VALUES (?, ?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM generated_files WHERE file = ?');
  return {
    file: (file: string): ManifestFile | undefined => {
      const row = one.get(file);
      return row && toManifestFile(row);
    },
    /** Returns the names of all generators with files. */
    names: () =>
      database
        .prepare('SELECT DISTINCT generator FROM generated_files')
        .all()
        .map(({ generator }) => String(generator)),
    /** Returns the key of any file below a folder. */
    keyBelow: (generator: string, folder: string) =>
      textOf(
        database
          .prepare('SELECT key FROM generated_files WHERE file >= ? AND file < ? AND +generator = ? LIMIT 1')
          .get(`${folder}/`, `${folder}0`, generator)?.['key'],
      ),
    filesOf: (generator: string) =>
      database
        .prepare('SELECT file FROM generated_files WHERE generator = ?')
        .all(generator)
        .map(({ file }) => String(file)),
    entriesOf: (generator: string) =>
      database
        .prepare('SELECT * FROM generated_files JOIN texts ON texts.id = generated_files.refers WHERE generator = ?')
        .all(generator)
        .map((row): [file: string, entry: ManifestFile] => [String(row['file']), toManifestFile(row)]),
    /** Returns the files of a generator below a folder, sorted by path. */
    filesBelow: (generator: string, folder: string) =>
      database
        .prepare(
          'SELECT file, key, bytes, digest FROM generated_files WHERE file >= ? AND file < ? AND +generator = ? ORDER BY file',
        )
        // `0` follows `/` in the character set.
        .all(`${folder}/`, `${folder}0`, generator)
        .map(toFile),
    files: () =>
      database
        .prepare('SELECT file FROM generated_files')
        .all()
        .map(({ file }) => String(file)),
    put: (file: string, { generator, key, bytes, digest, references }: ManifestFile): void =>
      void put.run(file, generator, key ?? null, bytes, digest, idOf(references)),
    remove: (file: string): void => void remove.run(file),
  };
}

function toManifestFile(row: Record<string, unknown>): ManifestFile {
  const { key, bytes, digest } = toFile(row);
  return { generator: String(row['generator']), key, bytes, digest, references: String(row['text']) };
}

function toFile({ file, key, bytes, digest }: Record<string, unknown>) {
  return { file: String(file), key: textOf(key), bytes: Number(bytes), digest: String(digest) };
}

function textOf(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
