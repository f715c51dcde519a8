import { DOCUMENT_FIELDS, type DocumentField } from '#contracts/product/index.ts';
import type { DocumentAsset, EarlierDocumentAsset, ProductEntry } from '#catalogue/entries/entries.ts';

export interface DocumentListItem {
  field: DocumentField;
  /** Undefined if the manufacturer provides none, which is often correct. Present it as neutral information. */
  document?: DocumentAsset;
  /** Earlier versions, newest first. */
  earlier: EarlierDocumentAsset[];
}

/** Lists all three kinds of documents in their order, including missing ones. */
export function documentList({
  documents,
  earlierDocuments,
}: Pick<ProductEntry, 'documents' | 'earlierDocuments'>): DocumentListItem[] {
  return DOCUMENT_FIELDS.map((field) => {
    const document = documents.find((candidate) => candidate.field === field);
    return {
      field,
      ...(document && { document }),
      earlier: earlierDocuments.filter((candidate) => candidate.field === field),
    };
  });
}
