import type { Settings } from '#config/index.ts';
import { findMediaFile, type StoredWarning } from '#contracts/index.ts';
import { readFrontMatterField } from '#contracts/front-matter.ts';
import { isDocumentField, overlayDocuments, type OverlayDocuments } from '#contracts/product/document-kinds.ts';
import type { RecordDocument } from '#contracts/product/index.ts';
import { overlayFiles } from '#files/content-files.ts';

/** Lists the documents of configured kinds of a product, from its overlay or the fields of its record. */
export type DocumentLister = ReturnType<typeof documentLister>;

export function documentLister({ root, options }: Pick<Settings, 'root' | 'options'>) {
  const kinds = options.documentKinds.filter(({ key }) => !isDocumentField(key));
  const overlays = new Map(
    (kinds.length > 0 ? overlayFiles(root) : []).flatMap(({ id, text }): [string, OverlayDocuments][] => {
      // The collection of overlays reports invalid ones.
      const documents = readFrontMatterField(text, 'documents', overlayDocuments);
      return documents ? [[id, documents]] : [];
    }),
  );
  return {
    /** True if a site has further kinds. */
    hasKinds: kinds.length > 0,
    /** True if documents are read from a field of the interface. */
    readsField: (name: string): boolean => kinds.some(({ field }) => field === name),
    /**
     * @param record Record of the interface, with its unknown fields.
     * @param base Base of relative URLs.
     */
    list: (
      { gtin, language, base }: { gtin: string; language: string; base: string | undefined },
      record: object,
      warn: (warning: StoredWarning) => void,
    ): RecordDocument[] =>
      kinds.flatMap(({ key, field = '', types }) => {
        const written = overlays.get(`${language}/${gtin}`)?.[key] ?? overlays.get(gtin)?.[key];
        const addresses = [written ?? readField(record, field) ?? []].flat();
        return addresses.flatMap((value): RecordDocument[] => {
          const url = typeof value === 'string' ? URL.parse(value, base) : null;
          const type = findMediaFile(url?.href ?? '')?.extension ?? 'pdf';
          if (url && /^https?:$/.test(url.protocol) && types.includes(type))
            return [{ kind: key, url: URL.canParse(String(value)) ? String(value) : url.href }];
          const expected = types.map((extension) => `.${extension}`).join(', ');
          warn({
            field: written ? `documents.${key}` : field,
            problem: `is not the address of a file that ends with ${expected}, so it is left out`,
            advice: written
              ? `Correct \`documents\` in content/products/, or \`types\` of the kind in \`documentKinds\`.`
              : `Have it corrected at the product interface, or correct \`types\` of the kind in \`documentKinds\`.`,
          });
          return [];
        });
      }),
  };
}

function readField(record: object, field: string): unknown {
  const { extra, ...fields } = record as Record<string, unknown>;
  return fields[field] ?? (Object(extra) as Record<string, unknown>)[field];
}
