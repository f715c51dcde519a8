import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { downloadZip } from 'client-zip';
import { familyZipPath } from '#catalogue/addresses/paths.ts';
import { outputPath, stripSitePath } from '#catalogue/addresses/site-paths.ts';
import { MAX_ZIP_BYTES, type FamilyDocument } from '#catalogue/documents/family-zips.ts';
import { hasLanguage } from '#contracts/product/document-kinds.ts';
import { truncateBytes } from '#contracts/scan-text.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { Ui } from '#i18n/index.ts';
import type { FileGenerator } from '../generator.ts';
import { indexAssets, type AssetIndex } from '../referred-files.ts';

/** Packs the documents of each family, by type and language. */
export const familyZips: FileGenerator = {
  name: 'family-zips',
  update: async ({ settings, languages, productIndex, snapshot, ui, keep, put, warn }) => {
    let assets: AssetIndex | undefined;
    const tooLarge = new Set<string>();
    for (const { code } of languages)
      for (const { productGroup, zips } of productIndex.productGroups(code))
        for (const { field, bytes, digest } of zips) {
          const file = outputPath(familyZipPath(code, productGroup, field));
          if (bytes > MAX_ZIP_BYTES) tooLarge.add(productGroup);
          else if (!keep(path.posix.dirname(file), digest)) {
            assets ??= indexAssets(snapshot, settings.assetsFolder);
            const documents = productIndex
              .productGroup(code, productGroup)
              .flatMap((product) =>
                productIndex.documentsOf(code, product.gtin).documents.map((document) => ({ product, document })),
              )
              .filter(({ document }) => document.field === field);
            put(file, await packDocuments(documents, ui(code), assets), digest);
          }
        }
    if (tooLarge.size > 0)
      warn(
        `No ZIP for families with more than ${MAX_ZIP_BYTES / 1e6} MB of documents; their pages link to the list: ${[...tooLarge].join(', ')}.`,
      );
  },
};

/** ZIPs store local time, so that this is the same everywhere. */
const FIXED_DATE = new Date(2000, 0, 1);

/** Creates the same bytes for the same documents. */
async function packDocuments(documents: readonly FamilyDocument[], ui: Ui, assets: AssetIndex): Promise<Uint8Array> {
  const files = new Map<string, string>();
  for (const { product, document } of documents) {
    const name = fileName(product, document, ui);
    const found = assets.findDocument(stripSitePath(document.href));
    const names = [name, `${product.gtin} ${name}`, `${product.gtin} ${document.fileName}`];
    if (found !== undefined) files.set(names.find((candidate) => !files.has(candidate)) ?? name, found);
  }
  const inputs = [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(async ([name, file]) => ({
      name,
      lastModified: FIXED_DATE,
      input: await readFile(file),
    }));
  return new Uint8Array(await downloadZip(await Promise.all(inputs)).arrayBuffer());
}

/** Returns the name in the ZIP: `AB-20160 Uni 60 Datenblatt de-DE.pdf`. File systems allow 255 bytes. */
function fileName(
  { item_number, gtin, name }: FamilyDocument['product'],
  document: FamilyDocument['document'],
  ui: Ui,
) {
  const words = [
    truncateBytes(item_number || gtin, 60).trimEnd(),
    truncateBytes(name, 120).trimEnd(),
    ui.fieldLabel(document.field),
    ...(hasLanguage(document) ? [toBcp47(document.language)] : []),
  ];
  return `${words.join(' ').replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}${path.extname(document.href) || '.pdf'}`;
}
