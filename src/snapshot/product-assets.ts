import { DOCUMENT_FIELDS, IMAGE_FIELDS, type ProductRecord } from '#contracts/product/index.ts';

/** A file that a product field refers to. */
export interface ProductAsset {
  field: (typeof IMAGE_FIELDS)[number] | (typeof DOCUMENT_FIELDS)[number];
  /** As in the record, including a signature if there is one. */
  address: string;
  kind: string;
}

/** Lists the images of a record, then its documents. */
export function listProductAssets(record: Pick<ProductRecord, ProductAsset['field']>): ProductAsset[] {
  const assetsOf = (fields: readonly ProductAsset['field'][], kind: string): ProductAsset[] =>
    fields.flatMap((field) => {
      const address = record[field];
      return address ? [{ field, address, kind }] : [];
    });
  return [...assetsOf(IMAGE_FIELDS, 'image'), ...assetsOf(DOCUMENT_FIELDS, 'document')];
}
