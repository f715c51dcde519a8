/**
 * Selects products in any state from a snapshot that is attached as `snapshot`: GTIN, language, and a version that
 * changes with the row. An index covers the query, so no records are read.
 */
export const PRODUCT_VERSIONS = `
  SELECT gtin, language,
    state || ' ' || digest || ' ' || coalesce(family, '') || ' ' || position || ' ' || changed_at || ' ' ||
      record_language AS version
  FROM snapshot.products`;
