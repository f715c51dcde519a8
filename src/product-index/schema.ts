import { DIRECTORY_SCHEMA } from './directory.ts';

/**
 * What lists show of all products, in a file of its own that any build can rebuild from the snapshot: a build reads
 * a product group when it needs it, instead of holding all of them.
 */
export const PRODUCT_INDEX_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- The rows of the snapshot that entries were made of.
CREATE TABLE versions (
  gtin     TEXT NOT NULL,
  language TEXT NOT NULL,
  version  TEXT NOT NULL,
  PRIMARY KEY (gtin, language)
) STRICT, WITHOUT ROWID;

-- By the language of the page. A product group is a family, or '' for what belongs to none.
CREATE TABLE entries (
  language   TEXT NOT NULL,
  gtin       TEXT NOT NULL,
  product_group TEXT NOT NULL,
  archived   INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  slug       TEXT NOT NULL,
  changed    TEXT NOT NULL,
  -- Of everything that its own page can show, and of what others show of it.
  digest     TEXT NOT NULL,
  row_digest TEXT NOT NULL,
  -- The same for a product at all times, so that a range of places is a part that a change of another leaves alone.
  place      INTEGER NOT NULL,
  -- Copied out of the data: what products are looked up by, and what is read of all of them at once.
  name       TEXT NOT NULL,
  record_language TEXT NOT NULL,
  item_number TEXT NOT NULL,
  family     TEXT,
  data       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_by_product ON entries (gtin, language);
-- By what texts call a product.
CREATE INDEX entries_by_item_number ON entries (language, item_number, gtin);
CREATE INDEX entries_by_name ON entries (language, name, gtin);
CREATE INDEX entries_by_place ON entries (language, archived, place, gtin, digest);
CREATE INDEX entries_by_group ON entries (language, archived, product_group, position, gtin, slug);

-- Documents of what is offered and of what was, by the language of the page.
CREATE TABLE documents (
  language TEXT NOT NULL,
  gtin     TEXT NOT NULL,
  -- In the order they are offered: the current ones, and behind them those that held before.
  place    INTEGER NOT NULL,
  href     TEXT NOT NULL,
  current  INTEGER NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, gtin, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX documents_by_address ON documents (language, current, href);

-- What the products of a product group declare under a norm, as far as the page of the norm shows it.
CREATE TABLE norms (
  language TEXT NOT NULL,
  norm     TEXT NOT NULL,
  product_group TEXT NOT NULL,
  name     TEXT NOT NULL,
  count    INTEGER NOT NULL,
  -- Values, and how many of them are shown.
  declared INTEGER NOT NULL,
  rows     INTEGER NOT NULL,
  digest   TEXT NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, norm, product_group)
) STRICT, WITHOUT ROWID;
CREATE INDEX norms_by_group ON norms (language, product_group);
-- All but the data, of which there is much.
CREATE INDEX norms_by_language ON norms (language, norm, product_group, name, count, declared, rows, digest);

CREATE TABLE product_groups (
  language TEXT NOT NULL,
  product_group TEXT NOT NULL,
  count    INTEGER NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, product_group)
) STRICT, WITHOUT ROWID;
${DIRECTORY_SCHEMA}`;

/** Counted up with the schema, or with what entries hold. */
export const PRODUCT_INDEX_VERSION = 21;
