import { isDeepStrictEqual } from 'node:util';
import type { Settings } from '#config/index.ts';
import { findMediaFile, type StoredWarning } from '#contracts/index.ts';
import { readFrontMatterField } from '#contracts/front-matter.ts';
import { isDocumentField, overlayDocuments, type OverlayDocuments } from '#contracts/product/document-kinds.ts';
import type { RecordDocument } from '#contracts/product/index.ts';
import { overlayFiles } from '#files/content-files.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

export type DocumentLister = ReturnType<typeof documentLister>;

interface DocumentRequest {
  gtin: string;
  language: string;
  /** Base of relative URLs. */
  base: string;
}

/** Lists the documents of configured kinds of a product, from its overlay or the fields of its record. */
export function documentLister({ root, options }: Pick<Settings, 'root' | 'options'>) {
  const kinds = options.documentKinds.filter(({ key }) => !isDocumentField(key));
  const overlays = new Map(
    (kinds.length > 0 ? overlayFiles(root) : []).flatMap(({ id, text }): [string, OverlayDocuments][] => {
      // The collection of overlays reports invalid ones.
      const documents = readFrontMatterField(text, 'documents', overlayDocuments);
      return documents ? [[id, documents]] : [];
    }),
  );
  const list = (
    { gtin, language, base }: DocumentRequest,
    record: object,
    warn: (warning: StoredWarning) => void,
  ): RecordDocument[] =>
    kinds.flatMap(({ key, field = '', types }) => {
      const seen = new Set<string>();
      const written = overlays.get(`${language}/${gtin}`)?.[key] ?? overlays.get(gtin)?.[key];
      const addresses = [written ?? readField(record, field) ?? []].flat();
      return addresses.flatMap((value): RecordDocument[] => {
        if (value === '' || value === null) return [];
        const url = typeof value === 'string' ? URL.parse(value, base) : null;
        const type = findMediaFile(url?.href ?? '')?.extension ?? 'pdf';
        if (url && seen.has(url.href)) return [];
        if (url) seen.add(url.href);
        if (url && /^https?:$/.test(url.protocol) && types.includes(type))
          return [{ kind: key, url: URL.canParse(String(value)) ? String(value) : url.href }];
        const expected = types.map((extension) => `.${extension}`).join(', ');
        const place = written ? '`documents` in content/products/' : 'it at the product interface';
        warn({
          field: written ? `documents.${key}` : field,
          problem: `is not the address of a file that ends with ${expected}, so it is left out`,
          advice: `Correct ${place}, or \`types\` of the kind in \`documentKinds\`.`,
        });
        return [];
      });
    });
  return {
    list,
    /** Fields of the interface that are read. */
    fields: kinds.flatMap(({ field }) => field ?? []),
    /** True if an overlay or the configuration gives a stored record other documents. */
    haveChanged: (snapshot: Pick<SnapshotReader, 'product'>, request: DocumentRequest): boolean => {
      const stored = kinds.length > 0 ? snapshot.product(request.gtin, request.language)?.record : undefined;
      return (
        stored !== undefined &&
        !isDeepStrictEqual(
          list(request, stored, () => undefined),
          stored.documents ?? [],
        )
      );
    },
  };
}

function readField(record: object, field: string): unknown {
  const { extra, ...fields } = record as Record<string, unknown>;
  return (Object(extra) as Record<string, unknown>)[field] ?? fields[field];
}
