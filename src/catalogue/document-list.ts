import { DOCUMENT_FIELDS, type DocumentField } from '../contracts/product/index.ts';
import type { DocumentAsset, ProductEntry } from '../loaders/entries.ts';

export interface OfferedDocument {
  field: DocumentField;
  /** Undefined when the maker names none: that is said neutrally, for it is often as it should be. */
  document?: DocumentAsset;
}

/** All three kinds of documents in their order, so that a missing one shows as missing. */
export function documentList({ documents }: Pick<ProductEntry, 'documents'>): OfferedDocument[] {
  return DOCUMENT_FIELDS.map((field) => {
    const document = documents.find((offered) => offered.field === field);
    return { field, ...(document && { document }) };
  });
}
