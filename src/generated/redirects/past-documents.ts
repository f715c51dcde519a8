import type { ProductIndex } from '#product-index/index.ts';
import { documentPath } from '#product-index/document-path.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';

/** A document that the site offered at an address of its own, and no longer does. */
export interface PastDocument {
  /** Root-relative path of where it stood. */
  path: string;
  /** The document that stands for it now; undefined where there is none. */
  to: string | undefined;
  /** Its bytes, relative to the folder of assets. */
  file: string;
  digest: string;
}

/**
 * Documents whose bytes were replaced or that no product names any more, by their paths: printed sheets, orders and
 * other catalogues link to them. What stands for one is what its source has at its address now, or else what its product
 * offers of its kind.
 */
export function findPastDocuments(
  { snapshot, options, languages }: Pick<LoaderSource, 'snapshot' | 'options' | 'languages'>,
  productIndex: Pick<ProductIndex, 'documents' | 'documentsOf'>,
): PastDocument[] {
  if (options.documents !== 'mirror') return [];
  const past = Map.groupBy(snapshot.pastDocuments(), (document) => documentPath({ ...document, kind: 'document' }));
  if (past.size === 0) return [];
  const offered = new Set<string>();
  for (const language of languages)
    for (const { documents, earlierDocuments } of productIndex.documents(language))
      for (const { href } of [...documents, ...earlierDocuments]) offered.add(href);
  return [...past].flatMap(([path, rows]): PastDocument[] => {
    const [row] = rows;
    if (path === undefined || !row || offered.has(path)) return [];
    const candidates = rows.flatMap(({ url, owner }) => {
      const asset = snapshot.asset(url, 'document');
      const ofProduct =
        owner &&
        productIndex.documentsOf(owner.language, owner.gtin).documents.find(({ field }) => field === owner.field);
      return [asset && documentPath(asset), ofProduct?.href];
    });
    const to = candidates.find((candidate) => candidate !== undefined && offered.has(candidate));
    return [{ path, to, file: row.file, digest: row.digest }];
  });
}
