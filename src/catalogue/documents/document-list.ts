import { DOCUMENT_FIELDS, type DocumentField } from '#contracts/product/index.ts';
import type { DocumentAsset, EarlierDocumentAsset, ProductEntry } from '#model/entries.ts';

export interface OfferedDocument {
  field: DocumentField;
  /** Undefined when the maker names none: that is said neutrally, for it is often as it should be. */
  document?: DocumentAsset;
  /** What was offered in its place before, newest first. */
  earlier: EarlierDocumentAsset[];
}

/** All three kinds of documents in their order, so that a missing one shows as missing. */
export function documentList({
  documents,
  earlierDocuments,
}: Pick<ProductEntry, 'documents' | 'earlierDocuments'>): OfferedDocument[] {
  return DOCUMENT_FIELDS.map((field) => {
    const document = documents.find((offered) => offered.field === field);
    return { field, ...(document && { document }), earlier: earlierDocuments.filter((kept) => kept.field === field) };
  });
}
