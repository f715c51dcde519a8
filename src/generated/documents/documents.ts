import { hash } from 'node:crypto';
import { outputPath, absoluteUrl } from '#catalogue/addresses/site-paths.ts';
import { documentCsv, type DocumentRow } from '#catalogue/documents/document-csv.ts';
import { documentsCsvPath, productPath } from '#catalogue/addresses/paths.ts';
import type { DocumentAsset, EarlierDocumentAsset } from '#catalogue/entries/entries.ts';
import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import type { FileGenerator } from '../generator.ts';

/** Generates a CSV of all documents per language. Documents of discontinued products come last. */
export const documents: FileGenerator = {
  name: 'documents',
  update: ({ settings, languages, productIndex, put }) => {
    if (!settings.options.pages.downloads) return;
    for (const { code } of languages) {
      const digests = [
        productIndex.productGroups(code).map((productGroup) => productGroup.documentsDigest),
        productIndex.discontinued(code),
      ];
      const key = hash('sha1', JSON.stringify(digests), 'base64url');
      const file = outputPath(documentsCsvPath(code));
      put(file, () => documentCsv(documentRows(productIndex, code, new URL(settings.siteUrl)), code), key);
    }
  },
};

/** Iterates over the documents of each product, current ones before replaced ones. */
export function* documentRows(
  productIndex: Pick<ProductIndex, 'documents'>,
  language: string,
  site: URL,
): Generator<DocumentRow> {
  for (const { product, archivedSince, documents: current, earlierDocuments } of productIndex.documents(language)) {
    const { gtin, item_number, name, slug } = product;
    const row = (document: DocumentAsset | EarlierDocumentAsset): DocumentRow => ({
      gtin,
      item_number,
      product: name,
      product_url: absoluteUrl(productPath(language, slug), site),
      document_type: document.field,
      language: document.language,
      url: absoluteUrl(document.href, site),
      file_name: document.fileName,
      bytes: document.bytes,
      modified: 'modified' in document ? day(document.modified) : undefined,
      sha256: document.digest,
      replaced: 'replaced' in document ? day(document.replaced) : undefined,
      discontinued: day(archivedSince),
    });
    yield* current.map(row);
    yield* earlierDocuments.map(row);
  }
}

function day(date: Date | undefined): string | undefined {
  return date?.toISOString().slice(0, 10);
}
