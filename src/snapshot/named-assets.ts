import { DOCUMENT_FIELDS, IMAGE_FIELDS, type ProductRecord } from '#contracts/product/index.ts';

/** A file that a field of a product record refers to. */
export interface NamedAsset {
  field: (typeof IMAGE_FIELDS)[number] | (typeof DOCUMENT_FIELDS)[number];
  /** As the record says it, with a signature where there is one. */
  address: string;
  kind: string;
}

/** The pictures of a record, then its documents. */
export function namedAssets(record: Pick<ProductRecord, NamedAsset['field']>): NamedAsset[] {
  const named = (fields: readonly NamedAsset['field'][], kind: string): NamedAsset[] =>
    fields.flatMap((field) => {
      const address = record[field];
      return address ? [{ field, address, kind }] : [];
    });
  return [...named(IMAGE_FIELDS, 'image'), ...named(DOCUMENT_FIELDS, 'document')];
}
