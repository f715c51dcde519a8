/**
 * Rows of products in any state, in a snapshot that is attached as `snapshot`: GTIN, language, and a version that
 * changes with the row. Answered from an index, without reading the records.
 */
export const PRODUCT_VERSIONS = `
  SELECT gtin, language,
    state || ' ' || digest || ' ' || coalesce(family, '') || ' ' || position || ' ' || changed_at || ' ' ||
      record_language AS version
  FROM snapshot.products`;
