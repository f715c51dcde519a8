import type { ProductIndex } from '#catalogue/port/product-index.ts';
import { documentPath } from '#product-index/assets.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';

/** A document that the site no longer offers at its path. */
export interface PastDocument {
  /** Root-relative path. */
  path: string;
  /** Path of the current document. Undefined if there is none. */
  to: string | undefined;
  /** Path of its file, relative to the assets folder. */
  file: string;
  digest: string;
}

/**
 * Finds replaced and removed documents, which printed material and other catalogues may link to. The replacement is the
 * current file at the source URL, else the product's document of the same kind.
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
      const productDocument =
        owner &&
        productIndex.documentsOf(owner.language, owner.gtin).documents.find(({ field }) => field === owner.field);
      return [asset && documentPath(asset), productDocument?.href];
    });
    const to = candidates.find((candidate) => candidate !== undefined && offered.has(candidate));
    return [{ path, to, file: row.file, digest: row.digest }];
  });
}
