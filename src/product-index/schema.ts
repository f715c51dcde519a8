import { DIRECTORY_SCHEMA } from './directory.ts';

/**
 * Tables of the product index: list data of all products in a separate file, which any build can rebuild from the
 * snapshot. Builds read single product groups from it instead of loading all products.
 */
export const PRODUCT_INDEX_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Versions of the snapshot rows that the entries were created from.
CREATE TABLE versions (
  gtin     TEXT NOT NULL,
  language TEXT NOT NULL,
  version  TEXT NOT NULL,
  PRIMARY KEY (gtin, language)
) STRICT, WITHOUT ROWID;

-- Entries by page language. A product group is a family, or '' for products without one.
CREATE TABLE entries (
  language   TEXT NOT NULL,
  gtin       TEXT NOT NULL,
  product_group TEXT NOT NULL,
  archived   INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  slug       TEXT NOT NULL,
  changed    TEXT NOT NULL,
  -- Digest of everything that the product's page can show, and of what other pages show of it.
  digest     TEXT NOT NULL,
  row_digest TEXT NOT NULL,
  -- Hash of the GTIN, which never changes. A range of hashes is a part that changes of other parts don't affect.
  place      INTEGER NOT NULL,
  -- Copied from the data, for lookups and for reading one column of all products.
  name       TEXT NOT NULL,
  record_language TEXT NOT NULL,
  item_number TEXT NOT NULL,
  family     TEXT,
  data       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_by_product ON entries (gtin, language);
-- Lookup by the names that texts use.
CREATE INDEX entries_by_item_number ON entries (language, item_number, gtin);
CREATE INDEX entries_by_name ON entries (language, name, gtin);
CREATE INDEX entries_by_place ON entries (language, archived, place, gtin, digest);
CREATE INDEX entries_by_group ON entries (language, archived, product_group, position, gtin, slug);

-- Documents of offered and discontinued products, by page language.
CREATE TABLE documents (
  language TEXT NOT NULL,
  gtin     TEXT NOT NULL,
  -- Display order: current documents first, then earlier ones.
  place    INTEGER NOT NULL,
  href     TEXT NOT NULL,
  current  INTEGER NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, gtin, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX documents_by_address ON documents (language, current, href);

-- Declared values of a product group for a norm, as shown on the page of the norm.
CREATE TABLE norms (
  language TEXT NOT NULL,
  norm     TEXT NOT NULL,
  product_group TEXT NOT NULL,
  name     TEXT NOT NULL,
  count    INTEGER NOT NULL,
  -- Number of values, and of the rows that are shown.
  declared INTEGER NOT NULL,
  rows     INTEGER NOT NULL,
  digest   TEXT NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, norm, product_group)
) STRICT, WITHOUT ROWID;
CREATE INDEX norms_by_group ON norms (language, product_group);
-- Covering index without the large data column.
CREATE INDEX norms_by_language ON norms (language, norm, product_group, name, count, declared, rows, digest);

CREATE TABLE product_groups (
  language TEXT NOT NULL,
  product_group TEXT NOT NULL,
  count    INTEGER NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, product_group)
) STRICT, WITHOUT ROWID;
${DIRECTORY_SCHEMA}`;

/** Increment it when the schema or the content of entries changes. */
export const PRODUCT_INDEX_VERSION = 21;
