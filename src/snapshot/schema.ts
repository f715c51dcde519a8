import type { DatabaseSync } from 'node:sqlite';
import { GTIN_OF_OWNER, IS_PRODUCT_OWNER } from './rows.ts';

/** Page size of the database. At SQLite's 4 kB a page would hold one record, and a third of the file would be empty. */
export const PAGE_BYTES = 16_384;

export const SNAPSHOT_VERSION = 9;

const EARLIEST_VERSION = 4;

const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE products (
  gtin            TEXT NOT NULL,
  language        TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('present', 'gone', 'unlisted')),
  record_language TEXT NOT NULL,
  record          TEXT NOT NULL,
  digest          TEXT NOT NULL,
  family          TEXT,
  position        INTEGER NOT NULL,
  changed_at      TEXT NOT NULL,
  -- When it left the catalogue. Its documents may change later.
  left_at         TEXT,
  -- When the price last changed. A change of only the price or the internal number doesn't update changed_at: a site
  -- that hides prices renders the same page.
  priced_at       TEXT,
  PRIMARY KEY (gtin, language)
) STRICT;
CREATE INDEX products_in_order ON products (state, position, language);
-- Covering index for the query that compares product versions.
CREATE INDEX product_marks ON products
  (gtin, language, state, digest, family, position, changed_at, record_language);

-- Columns that every run writes, kept apart from the wide rows that only a change writes.
CREATE TABLE product_checks (
  gtin            TEXT NOT NULL,
  language        TEXT NOT NULL,
  checked_at      TEXT NOT NULL,
  etag            TEXT,
  last_modified   TEXT,
  -- Change date of the record in the interface's list; NULL if the server has no such list.
  listed_modified TEXT,
  -- Number of consecutive 404 responses for a present record, and when they started.
  missing_runs    INTEGER NOT NULL DEFAULT 0,
  missing_since   TEXT,
  -- Warnings about the record as last read, as JSON, for the report of every run. NULL for records read by earlier
  -- versions: these are requested in full.
  warnings        TEXT,
  PRIMARY KEY (gtin, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
  kind       TEXT NOT NULL,
  id         TEXT NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('present', 'gone')),
  position   INTEGER NOT NULL,
  record     TEXT NOT NULL,
  digest     TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  checked_at TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT;

-- One address can be an image of one record and a document of another: each is a separate asset.
CREATE TABLE assets (
  url           TEXT NOT NULL,
  kind          TEXT NOT NULL,
  digest        TEXT,
  file          TEXT,
  bytes         INTEGER,
  mime_type     TEXT,
  width         INTEGER,
  height        INTEGER,
  last_modified TEXT,
  etag          TEXT,
  reachable     INTEGER NOT NULL,
  problem       TEXT,
  fetched_at    TEXT,
  checked_at    TEXT NOT NULL,
  -- New bytes at the source as JSON. The published ones stay until an editor accepts these.
  unaccepted    TEXT,
  -- Further properties read from the bytes, such as the duration, as JSON.
  details       TEXT,
  PRIMARY KEY (url, kind)
) STRICT;

CREATE TABLE asset_references (
  owner   TEXT NOT NULL,
  url     TEXT NOT NULL,
  address TEXT NOT NULL,
  kind    TEXT NOT NULL,
  PRIMARY KEY (owner, url, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_owners ON asset_references (url, kind, owner);

-- Earlier bytes of an address. Their files stay.
CREATE TABLE asset_history (
  url         TEXT NOT NULL,
  kind        TEXT NOT NULL,
  digest      TEXT NOT NULL,
  file        TEXT NOT NULL,
  bytes       INTEGER,
  mime_type   TEXT,
  replaced_at TEXT NOT NULL,
  PRIMARY KEY (url, kind, digest, replaced_at)
) STRICT, WITHOUT ROWID;

-- Declarations of performance that products no longer refer to. They stay available for ten years.
CREATE TABLE earlier_documents (
  gtin              TEXT NOT NULL,
  language          TEXT NOT NULL,
  field             TEXT NOT NULL,
  url               TEXT NOT NULL,
  -- Empty if the bytes were never fetched.
  digest            TEXT NOT NULL,
  document_language TEXT NOT NULL,
  file              TEXT,
  bytes             INTEGER,
  replaced_at       TEXT NOT NULL,
  PRIMARY KEY (gtin, language, field, url, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
  name         TEXT PRIMARY KEY,
  base         TEXT NOT NULL,
  cursor       TEXT,
  last_success TEXT NOT NULL,
  -- When the source first failed, and why.
  failed_since TEXT,
  problem      TEXT
) STRICT;

CREATE TABLE runs (
  id              TEXT PRIMARY KEY,
  started_at      TEXT NOT NULL,
  finished_at     TEXT NOT NULL,
  changed         INTEGER NOT NULL,
  digest          TEXT NOT NULL,
  previous_digest TEXT,
  requests        INTEGER NOT NULL,
  report          TEXT
) STRICT;

CREATE TABLE outbox (
  id              TEXT PRIMARY KEY,
  hook            TEXT NOT NULL,
  run_id          TEXT NOT NULL,
  body            TEXT NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'live', 'dead', 'superseded')),
  -- Incremented before each attempt. A message with 0 attempts is waiting and may be rewritten. Otherwise it is in
  -- flight: the receiver may know it, so its body is immutable.
  attempts        INTEGER NOT NULL DEFAULT 0,
  -- Consecutive failures since it was added or requeued: its position in the retry schedule.
  failures        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  settled_at      TEXT,
  last_problem    TEXT,
  -- The sender that has claimed the message, and the end of that claim.
  lease           TEXT,
  leased_until    TEXT,
  -- Set on dead-lettered messages whose target no longer exists. Disables the hook.
  target_gone     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX outbox_by_hook ON outbox (hook, state);

-- Change log for incremental builds: changed products, and counters for everything else. Ids only grow.
CREATE TABLE product_changes (id INTEGER PRIMARY KEY AUTOINCREMENT, gtin TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE change_counts (kind TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Former names, from which moved pages are redirected, by the language of the stored record.
CREATE TABLE past_names (
  gtin     TEXT NOT NULL,
  language TEXT NOT NULL,
  name     TEXT NOT NULL,
  until    TEXT NOT NULL,
  PRIMARY KEY (gtin, language, name)
) STRICT, WITHOUT ROWID;

-- Former addresses of records: slug and id of the parent record, 0 for none.
CREATE TABLE past_places (
  kind   TEXT NOT NULL,
  id     TEXT NOT NULL,
  slug   TEXT NOT NULL,
  parent INTEGER NOT NULL,
  until  TEXT NOT NULL,
  PRIMARY KEY (kind, id, slug, parent)
) STRICT, WITHOUT ROWID;

-- Former families of products.
CREATE TABLE past_families (family TEXT NOT NULL, gtin TEXT NOT NULL, PRIMARY KEY (family, gtin)) STRICT, WITHOUT ROWID;
`;

function logChanges(name: string, columns: string, log: (row: 'new' | 'old') => string): string {
  const rowOf = (row: string) => `(${columns.replaceAll(/\w+/g, `${row}.$&`)})`;
  return `
CREATE TRIGGER ${name}_added AFTER INSERT ON ${name}s BEGIN ${log('new')} END;
CREATE TRIGGER ${name}_changed AFTER UPDATE ON ${name}s WHEN ${rowOf('old')} IS NOT ${rowOf('new')} BEGIN ${log('new')} END;
CREATE TRIGGER ${name}_removed AFTER DELETE ON ${name}s BEGIN ${log('old')} END;`;
}

const countChange = (kind: string): string => `UPDATE change_counts SET count = count + 1 WHERE kind = '${kind}';`;

/** A changed file counts as a change of every product that refers to it. */
function logAsset(row: string): string {
  const owners = `SELECT DISTINCT ${GTIN_OF_OWNER} FROM asset_references
    WHERE url = ${row}.url AND kind = ${row}.kind AND ${IS_PRODUCT_OWNER}`;
  return `${countChange('asset')}
  DELETE FROM product_changes WHERE gtin IN (${owners});
  INSERT INTO product_changes (gtin) ${owners};`;
}

const SAVE_NAME = `INSERT INTO past_names VALUES (old.gtin, old.language, old.record ->> '$.name', new.changed_at)
    ON CONFLICT DO UPDATE SET until = excluded.until;`;

/** Selects only rows that existed before this run, so that its write order doesn't matter. */
const COPY_NAMES = `INSERT INTO past_names
    SELECT new.gtin, new.language, record ->> '$.name', new.changed_at FROM products JOIN product_checks USING (gtin, language)
     WHERE gtin = new.gtin AND language <> new.language
    UNION SELECT new.gtin, new.language, name, new.changed_at FROM past_names
     WHERE gtin = new.gtin AND language <> new.language
    ON CONFLICT DO UPDATE SET until = excluded.until;`;

/** SQLite overrides OR REPLACE in a trigger by the ON CONFLICT clause of the triggering statement. */
const TRIGGERS = `
${logChanges(
  'product',
  'state, digest, family, position, changed_at, record_language',
  (row) => `
  DELETE FROM product_changes WHERE gtin = ${row}.gtin;
  INSERT INTO product_changes (gtin) VALUES (${row}.gtin);`,
)}
${logChanges('asset', 'digest, file, bytes, mime_type, width, height, details, last_modified, reachable', logAsset)}
${logChanges('record', 'state, position, digest, changed_at', () => countChange('record'))}

CREATE TRIGGER product_renamed AFTER UPDATE OF record ON products
  WHEN old.record ->> '$.name' IS NOT new.record ->> '$.name' BEGIN ${SAVE_NAME} END;
-- From now on, its pages in untranslated languages show another record.
CREATE TRIGGER product_left AFTER UPDATE OF state ON products
  WHEN old.state = 'present' AND new.state <> 'present' BEGIN ${SAVE_NAME} END;
-- Until a product is translated, its page in that language uses its current and former names in other languages.
CREATE TRIGGER product_translated AFTER INSERT ON products
  WHEN EXISTS (SELECT 1 FROM records WHERE kind = 'language' AND id = new.language AND changed_at < new.changed_at)
  BEGIN ${COPY_NAMES} END;
CREATE TRIGGER product_translated_later AFTER UPDATE OF record ON products
  WHEN old.record_language <> old.language AND new.record_language = new.language BEGIN ${COPY_NAMES} END;
CREATE TRIGGER product_regrouped AFTER UPDATE OF family ON products
  WHEN old.family IS NOT NULL AND old.family IS NOT new.family BEGIN
  INSERT INTO past_families VALUES (old.family, old.gtin) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER record_moved AFTER UPDATE OF record ON records
  WHEN old.record ->> '$.slug' IS NOT NULL AND (old.record ->> '$.slug', old.record ->> '$.parent') IS NOT
                                               (new.record ->> '$.slug', new.record ->> '$.parent') BEGIN
  INSERT INTO past_places VALUES
    (old.kind, old.id, old.record ->> '$.slug', coalesce(old.record ->> '$.parent', 0), new.changed_at)
    ON CONFLICT DO UPDATE SET until = excluded.until;
END;
-- Keeps undelivered messages when settled ones are deleted.
CREATE TRIGGER outbox_keeps_untold BEFORE DELETE ON outbox WHEN old.state IN ('pending', 'dead') BEGIN
  SELECT RAISE(IGNORE);
END;
`;

export function createTables(database: DatabaseSync): void {
  database.exec(`${TABLES} INSERT INTO change_counts VALUES ('asset', 0), ('record', 0); ${TRIGGERS}`);
}

/** Values of columns that an earlier version lacks. */
const NEW_VALUES: Readonly<Record<string, string>> = {
  'asset_history.kind': `CASE mime_type WHEN 'application/pdf' THEN 'document' ELSE 'image' END`,
  'earlier_documents.document_language': 'language',
  'products.left_at': `CASE WHEN state <> 'present' THEN changed_at END`,
};

/**
 * Copies the tables of an earlier version. The snapshot holds data that no sync could fetch again: tombstones,
 * undelivered messages, earlier documents.
 * @returns False if the version is older than the earliest release.
 */
export function migrateTables(database: DatabaseSync, version: number): boolean {
  if (version < EARLIEST_VERSION) return false;
  const listNames = (from: string, value: string) =>
    Array.from(database.prepare(`SELECT name FROM ${from}`).iterate(value), ({ name }) => String(name));
  const names = (type: string) =>
    listNames(`sqlite_schema WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%'`, type);
  const columnsOf = (table: string) => listNames('pragma_table_info(?)', table);
  for (const type of ['trigger', 'index']) for (const name of names(type)) database.exec(`DROP ${type} ${name}`);
  database.exec(`UPDATE earlier_documents SET digest = '' WHERE digest IS NULL`);
  const tables = names('table');
  for (const table of tables) database.exec(`ALTER TABLE ${table} RENAME TO old_${table}`);
  database.exec(TABLES);
  for (const table of names('table').filter((name) => tables.includes(name))) {
    const old = columnsOf(`old_${table}`);
    const columns = columnsOf(table).flatMap((name) => {
      const value = old.includes(name) ? name : NEW_VALUES[`${table}.${name}`];
      return value === undefined ? [] : [{ name, value }];
    });
    database.exec(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join()})
       SELECT ${columns.map(({ value }) => value).join()} FROM old_${table}`,
    );
  }
  if (tables.includes('past_slugs'))
    database.exec('INSERT INTO past_places SELECT kind, id, slug, 0, until FROM old_past_slugs');
  for (const table of tables) database.exec(`DROP TABLE old_${table}`);
  database.exec(TRIGGERS);
  return true;
}

/**
 * Tables of the running sync, in a separate database attached as `staging`. Outcomes of products: `record` is new or
 * changed, `same` is unchanged, `gone` is confirmed as removed, `missing` needs confirmation. `kept` retains the stored
 * record.
 */
export const STAGING_SCHEMA = `
CREATE TABLE staging.basis (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- With row ids, so that inserts append in any key order.
CREATE TABLE staging.staged_products (
  gtin            TEXT NOT NULL,
  language        TEXT NOT NULL,
  outcome         TEXT NOT NULL CHECK (outcome IN ('record', 'same', 'gone', 'missing', 'kept')),
  record_language TEXT,
  digest          TEXT,
  family          TEXT,
  position        INTEGER NOT NULL,
  etag            TEXT,
  last_modified   TEXT,
  listed_modified TEXT,
  -- NULL if the record was not read; the stored warnings still apply.
  warnings        TEXT,
  -- When it was compared with the interface, if that was in an earlier run.
  read_at         TEXT,
  -- Last column, because its pages are read only if the text is needed.
  record          TEXT,
  PRIMARY KEY (gtin, language)
) STRICT;

CREATE TABLE staging.staged_records (
  kind     TEXT NOT NULL,
  id       TEXT NOT NULL,
  outcome  TEXT NOT NULL CHECK (outcome IN ('record', 'same', 'kept')),
  position INTEGER NOT NULL,
  record   TEXT,
  digest   TEXT,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE staging.staged_references (
  owner   TEXT NOT NULL,
  url     TEXT NOT NULL,
  address TEXT NOT NULL,
  kind    TEXT NOT NULL,
  PRIMARY KEY (owner, url, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE staging.staged_owners (owner TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE staging.staged_assets AS SELECT * FROM main.assets WHERE 0;
CREATE UNIQUE INDEX staging.staged_assets_by_url ON staged_assets (url, kind);

CREATE TABLE staging.read_kinds (kind TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;
