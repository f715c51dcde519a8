import { GTIN_OF_OWNER, IS_PRODUCT_OWNER } from './staged-changes.ts';
import { OUTBOX_V2 } from './outbox.ts';

/** Page size of the database. At SQLite's 4 kB a page would hold one record, and a third of the file would be empty. */
export const PAGE_BYTES = 16_384;

const V1 = `
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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
  checked_at      TEXT NOT NULL,
  etag            TEXT,
  last_modified   TEXT,
  PRIMARY KEY (gtin, language)
) STRICT;
CREATE INDEX products_in_order ON products (state, position, language);

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

CREATE TABLE assets (
  url           TEXT PRIMARY KEY,
  kind          TEXT NOT NULL CHECK (kind IN ('image', 'document')),
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
  checked_at    TEXT NOT NULL
) STRICT;

CREATE TABLE asset_references (
  owner   TEXT NOT NULL,
  url     TEXT NOT NULL,
  address TEXT NOT NULL,
  kind    TEXT NOT NULL,
  PRIMARY KEY (owner, url)
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
  name         TEXT PRIMARY KEY,
  base         TEXT NOT NULL,
  cursor       TEXT,
  last_success TEXT NOT NULL
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
  state           TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead', 'superseded')),
  attempts        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  settled_at      TEXT,
  last_problem    TEXT
) STRICT;
CREATE INDEX outbox_pending ON outbox (state, next_attempt_at);
`;

const V2 = `
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
  PRIMARY KEY (gtin, language)
) STRICT, WITHOUT ROWID;
INSERT INTO product_checks (gtin, language, checked_at, etag, last_modified)
  SELECT gtin, language, checked_at, etag, last_modified FROM products;
ALTER TABLE products DROP COLUMN checked_at;
ALTER TABLE products DROP COLUMN etag;
ALTER TABLE products DROP COLUMN last_modified;

-- When a source first failed, and why.
ALTER TABLE sources ADD COLUMN failed_since TEXT;
ALTER TABLE sources ADD COLUMN problem TEXT;

-- Earlier bytes of an address. Their files stay.
CREATE TABLE asset_history (
  url         TEXT NOT NULL,
  digest      TEXT NOT NULL,
  file        TEXT NOT NULL,
  bytes       INTEGER,
  mime_type   TEXT,
  replaced_at TEXT NOT NULL,
  PRIMARY KEY (url, digest, replaced_at)
) STRICT, WITHOUT ROWID;
${OUTBOX_V2}`;

const V3 = `
-- Covering index for the query that compares product versions.
CREATE INDEX product_marks ON products
  (gtin, language, state, digest, family, position, changed_at, record_language);

-- Change log for incremental builds: changed products, and counters for everything else. Ids only grow.
CREATE TABLE product_changes (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  gtin TEXT NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER product_added AFTER INSERT ON products BEGIN
  DELETE FROM product_changes WHERE gtin = new.gtin;
  INSERT INTO product_changes (gtin) VALUES (new.gtin);
END;
CREATE TRIGGER product_changed AFTER UPDATE ON products
  WHEN (old.state, old.digest, old.family, old.position, old.changed_at, old.record_language) IS NOT
       (new.state, new.digest, new.family, new.position, new.changed_at, new.record_language) BEGIN
  DELETE FROM product_changes WHERE gtin = new.gtin;
  INSERT INTO product_changes (gtin) VALUES (new.gtin);
END;
CREATE TRIGGER product_removed AFTER DELETE ON products BEGIN
  DELETE FROM product_changes WHERE gtin = old.gtin;
  INSERT INTO product_changes (gtin) VALUES (old.gtin);
END;
CREATE TABLE change_counts (kind TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO change_counts VALUES ('asset', 0), ('record', 0);
CREATE TRIGGER asset_added AFTER INSERT ON assets BEGIN
  UPDATE change_counts SET count = count + 1 WHERE kind = 'asset';
END;
CREATE TRIGGER asset_changed AFTER UPDATE ON assets
  WHEN (old.digest, old.file, old.bytes, old.mime_type, old.width, old.height, old.last_modified, old.reachable) IS NOT
       (new.digest, new.file, new.bytes, new.mime_type, new.width, new.height, new.last_modified, new.reachable) BEGIN
  UPDATE change_counts SET count = count + 1 WHERE kind = 'asset';
END;
CREATE TRIGGER asset_removed AFTER DELETE ON assets BEGIN
  UPDATE change_counts SET count = count + 1 WHERE kind = 'asset';
END;
CREATE TRIGGER record_added AFTER INSERT ON records BEGIN
  UPDATE change_counts SET count = count + 1 WHERE kind = 'record';
END;
CREATE TRIGGER record_changed AFTER UPDATE ON records
  WHEN (old.state, old.position, old.digest, old.changed_at) IS NOT
       (new.state, new.position, new.digest, new.changed_at) BEGIN
  UPDATE change_counts SET count = count + 1 WHERE kind = 'record';
END;
CREATE TRIGGER record_removed AFTER DELETE ON records BEGIN
  UPDATE change_counts SET count = count + 1 WHERE kind = 'record';
END;
`;

const V4 = `
-- Former names and slugs, from which moved pages are redirected.
CREATE TABLE past_names (
  gtin     TEXT NOT NULL,
  -- Language of the stored record.
  language TEXT NOT NULL,
  name     TEXT NOT NULL,
  until    TEXT NOT NULL,
  PRIMARY KEY (gtin, language, name)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER product_renamed AFTER UPDATE OF record ON products
  WHEN old.record ->> '$.name' IS NOT new.record ->> '$.name' BEGIN
  INSERT OR REPLACE INTO past_names VALUES (old.gtin, old.language, old.record ->> '$.name', new.changed_at);
END;
-- Before its translation, the page in this language used the name of another language.
CREATE TRIGGER product_translated AFTER INSERT ON products
  WHEN EXISTS (SELECT 1 FROM records WHERE kind = 'language' AND id = new.language AND changed_at < new.changed_at) BEGIN
  INSERT OR REPLACE INTO past_names
    SELECT new.gtin, new.language, record ->> '$.name', new.changed_at FROM products
     WHERE gtin = new.gtin AND language <> new.language AND changed_at < new.changed_at;
END;

CREATE TABLE past_places (
  kind   TEXT NOT NULL CHECK (kind IN ('post', 'page')),
  id     TEXT NOT NULL,
  slug   TEXT NOT NULL,
  -- Id of the parent page; 0 for none.
  parent INTEGER NOT NULL,
  until  TEXT NOT NULL,
  PRIMARY KEY (kind, id, slug, parent)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER record_moved AFTER UPDATE OF record ON records
  WHEN old.kind IN ('post', 'page') AND (old.record ->> '$.slug', old.record ->> '$.parent') IS NOT
                                        (new.record ->> '$.slug', new.record ->> '$.parent') BEGIN
  INSERT OR REPLACE INTO past_places VALUES
    (old.kind, old.id, old.record ->> '$.slug', coalesce(old.record ->> '$.parent', 0), new.changed_at);
END;

-- Declarations of performance that products no longer refer to. They stay available for ten years.
CREATE TABLE earlier_documents (
  gtin        TEXT NOT NULL,
  language    TEXT NOT NULL,
  field       TEXT NOT NULL,
  url         TEXT NOT NULL,
  digest      TEXT,
  file        TEXT,
  bytes       INTEGER,
  replaced_at TEXT NOT NULL,
  PRIMARY KEY (gtin, language, field, url)
) STRICT, WITHOUT ROWID;
`;

const V5 = `
-- One address can be an image of one record and a document of another: each is a separate asset.
CREATE TABLE assets_by_kind (
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
  PRIMARY KEY (url, kind)
) STRICT;
INSERT INTO assets_by_kind SELECT *, NULL FROM assets;
DROP TABLE assets;
ALTER TABLE assets_by_kind RENAME TO assets;

CREATE TABLE references_by_kind (
  owner   TEXT NOT NULL,
  url     TEXT NOT NULL,
  address TEXT NOT NULL,
  kind    TEXT NOT NULL,
  PRIMARY KEY (owner, url, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO references_by_kind SELECT * FROM asset_references;
DROP TABLE asset_references;
ALTER TABLE references_by_kind RENAME TO asset_references;
CREATE INDEX asset_owners ON asset_references (url, kind, owner);

CREATE TABLE history_by_kind (
  url         TEXT NOT NULL,
  kind        TEXT NOT NULL,
  digest      TEXT NOT NULL,
  file        TEXT NOT NULL,
  bytes       INTEGER,
  mime_type   TEXT,
  replaced_at TEXT NOT NULL,
  PRIMARY KEY (url, kind, digest, replaced_at)
) STRICT, WITHOUT ROWID;
INSERT INTO history_by_kind
  SELECT url, CASE mime_type WHEN 'application/pdf' THEN 'document' ELSE 'image' END, digest, file, bytes, mime_type,
         replaced_at FROM asset_history;
DROP TABLE asset_history;
ALTER TABLE history_by_kind RENAME TO asset_history;

-- A product that refers to one address twice, with different bytes, has had two documents. Each has its language.
CREATE TABLE earlier_versions (
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
INSERT INTO earlier_versions
  SELECT gtin, language, field, url, coalesce(digest, ''), language, file, bytes, replaced_at FROM earlier_documents;
DROP TABLE earlier_documents;
ALTER TABLE earlier_versions RENAME TO earlier_documents;

-- When a product left the catalogue. Its documents may change later.
ALTER TABLE products ADD COLUMN left_at TEXT;
UPDATE products SET left_at = changed_at WHERE state <> 'present';

-- A changed file counts as a change of every product that refers to it.
${assetTrigger('asset_added', 'INSERT ON assets', 'new')}
${assetTrigger(
  'asset_changed',
  `UPDATE ON assets
  WHEN (old.digest, old.file, old.bytes, old.mime_type, old.width, old.height, old.last_modified, old.reachable) IS NOT
       (new.digest, new.file, new.bytes, new.mime_type, new.width, new.height, new.last_modified, new.reachable)`,
  'new',
)}
${assetTrigger('asset_removed', 'DELETE ON assets', 'old')}
`;

function assetTrigger(name: string, event: string, row: 'new' | 'old'): string {
  const owners = `SELECT DISTINCT ${GTIN_OF_OWNER} FROM asset_references
    WHERE url = ${row}.url AND kind = ${row}.kind AND ${IS_PRODUCT_OWNER}`;
  return `CREATE TRIGGER ${name} AFTER ${event} BEGIN
  UPDATE change_counts SET count = count + 1 WHERE kind = 'asset';
  DELETE FROM product_changes WHERE gtin IN (${owners});
  INSERT INTO product_changes (gtin) ${owners};
END;`;
}

const V6 = `
-- Warnings about the record as last read, as JSON, for the report of every run. NULL for records read before this
-- version: these are requested in full.
ALTER TABLE product_checks ADD COLUMN warnings TEXT;
`;

const V7 = `
-- Former slugs of categories, tags and authors, and former families of products.
CREATE TABLE past_slugs (
  kind  TEXT NOT NULL,
  id    TEXT NOT NULL,
  slug  TEXT NOT NULL,
  until TEXT NOT NULL,
  PRIMARY KEY (kind, id, slug)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER term_renamed AFTER UPDATE OF record ON records
  WHEN old.kind IN ('category', 'tag', 'author') AND old.record ->> '$.slug' IS NOT new.record ->> '$.slug' BEGIN
  INSERT INTO past_slugs VALUES (old.kind, old.id, old.record ->> '$.slug', new.changed_at)
    ON CONFLICT DO UPDATE SET until = excluded.until;
END;

CREATE TABLE past_families (
  family TEXT NOT NULL,
  gtin   TEXT NOT NULL,
  PRIMARY KEY (family, gtin)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER product_regrouped AFTER UPDATE OF family ON products
  WHEN old.family IS NOT NULL AND old.family IS NOT new.family BEGIN
  INSERT INTO past_families VALUES (old.family, old.gtin) ON CONFLICT DO NOTHING;
END;

-- Until a product is translated, its page in that language uses its current and former names in other languages.
DROP TRIGGER product_translated;
CREATE TRIGGER product_translated AFTER INSERT ON products
  WHEN EXISTS (SELECT 1 FROM records WHERE kind = 'language' AND id = new.language AND changed_at < new.changed_at) BEGIN
  ${copyNames()}
END;
CREATE TRIGGER product_translated_later AFTER UPDATE OF record ON products
  WHEN old.record_language <> old.language AND new.record_language = new.language BEGIN
  ${copyNames()}
END;
-- From now on, its pages in untranslated languages show another record.
CREATE TRIGGER product_left AFTER UPDATE OF state ON products WHEN old.state = 'present' AND new.state <> 'present' BEGIN
  INSERT INTO past_names VALUES (old.gtin, old.language, old.record ->> '$.name', new.changed_at)
    ON CONFLICT DO UPDATE SET until = excluded.until;
END;

-- These used OR REPLACE, which the ON CONFLICT clause of the triggering statement overrides. Leaving the same name or
-- slug twice then failed.
DROP TRIGGER product_renamed;
CREATE TRIGGER product_renamed AFTER UPDATE OF record ON products
  WHEN old.record ->> '$.name' IS NOT new.record ->> '$.name' BEGIN
  INSERT INTO past_names VALUES (old.gtin, old.language, old.record ->> '$.name', new.changed_at)
    ON CONFLICT DO UPDATE SET until = excluded.until;
END;
DROP TRIGGER record_moved;
CREATE TRIGGER record_moved AFTER UPDATE OF record ON records
  WHEN old.kind IN ('post', 'page') AND (old.record ->> '$.slug', old.record ->> '$.parent') IS NOT
                                        (new.record ->> '$.slug', new.record ->> '$.parent') BEGIN
  INSERT INTO past_places VALUES
    (old.kind, old.id, old.record ->> '$.slug', coalesce(old.record ->> '$.parent', 0), new.changed_at)
    ON CONFLICT DO UPDATE SET until = excluded.until;
END;
`;

/** Selects only rows that existed before this run, so that its write order doesn't matter. */
function copyNames(): string {
  return `INSERT INTO past_names
    SELECT new.gtin, new.language, record ->> '$.name', new.changed_at FROM products JOIN product_checks USING (gtin, language)
     WHERE gtin = new.gtin AND language <> new.language
    UNION SELECT new.gtin, new.language, name, new.changed_at FROM past_names
     WHERE gtin = new.gtin AND language <> new.language
    ON CONFLICT DO UPDATE SET until = excluded.until;`;
}

const V8 = `
-- Former addresses of records of any kind: slug and parent.
CREATE TABLE places (
  kind   TEXT NOT NULL,
  id     TEXT NOT NULL,
  slug   TEXT NOT NULL,
  -- Id of the parent record; 0 for none.
  parent INTEGER NOT NULL,
  until  TEXT NOT NULL,
  PRIMARY KEY (kind, id, slug, parent)
) STRICT, WITHOUT ROWID;
INSERT INTO places SELECT kind, id, slug, parent, until FROM past_places;
INSERT INTO places SELECT kind, id, slug, 0, until FROM past_slugs;
DROP TRIGGER record_moved;
DROP TRIGGER term_renamed;
DROP TABLE past_places;
DROP TABLE past_slugs;
ALTER TABLE places RENAME TO past_places;
CREATE TRIGGER record_moved AFTER UPDATE OF record ON records
  WHEN old.record ->> '$.slug' IS NOT NULL AND (old.record ->> '$.slug', old.record ->> '$.parent') IS NOT
                                               (new.record ->> '$.slug', new.record ->> '$.parent') BEGIN
  INSERT INTO past_places VALUES
    (old.kind, old.id, old.record ->> '$.slug', coalesce(old.record ->> '$.parent', 0), new.changed_at)
    ON CONFLICT DO UPDATE SET until = excluded.until;
END;

-- Further properties read from the bytes, such as the duration, as JSON.
ALTER TABLE assets ADD COLUMN details TEXT;
DROP TRIGGER asset_changed;
${assetTrigger(
  'asset_changed',
  `UPDATE ON assets
  WHEN (old.digest, old.file, old.bytes, old.mime_type, old.width, old.height, old.details, old.last_modified, old.reachable)
    IS NOT
       (new.digest, new.file, new.bytes, new.mime_type, new.width, new.height, new.details, new.last_modified, new.reachable)`,
  'new',
)}
`;

const V9 = `
-- When the price last changed. A change of only the price or the internal number doesn't update changed_at: a site that
-- hides prices renders the same page.
ALTER TABLE products ADD COLUMN priced_at TEXT;
`;

/**
 * SQL that migrates each version to the next. Append only, never edit. The snapshot holds data that no sync could fetch
 * again: tombstones, undelivered messages, earlier documents.
 */
export const MIGRATIONS: readonly string[] = [V1, V2, V3, V4, V5, V6, V7, V8, V9];
export const SNAPSHOT_VERSION = MIGRATIONS.length;

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
