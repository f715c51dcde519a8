/** Counted up whenever a table changes. A file with another number is made anew: it is a projection. */
export const SNAPSHOT_VERSION = 1;

export const SNAPSHOT_SCHEMA = `
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

/** What a run has read so far. Temporary: it lies in a file of this connection alone and ends with it. */
export const STAGING_SCHEMA = `
CREATE TEMP TABLE staged_products (
  gtin            TEXT NOT NULL,
  language        TEXT NOT NULL,
  outcome         TEXT NOT NULL CHECK (outcome IN ('record', 'same', 'gone', 'unusable')),
  record_language TEXT,
  record          TEXT,
  digest          TEXT,
  family          TEXT,
  position        INTEGER NOT NULL,
  etag            TEXT,
  last_modified   TEXT,
  PRIMARY KEY (gtin, language)
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE staged_records (
  kind     TEXT NOT NULL,
  id       TEXT NOT NULL,
  outcome  TEXT NOT NULL CHECK (outcome IN ('record', 'same', 'unusable')),
  position INTEGER NOT NULL,
  record   TEXT,
  digest   TEXT,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE staged_references (
  owner   TEXT NOT NULL,
  url     TEXT NOT NULL,
  address TEXT NOT NULL,
  kind    TEXT NOT NULL,
  PRIMARY KEY (owner, url)
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE staged_owners (owner TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE staged_assets AS SELECT * FROM main.assets WHERE 0;
CREATE UNIQUE INDEX staged_assets_by_url ON staged_assets (url);

CREATE TEMP TABLE read_kinds (kind TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;
