import { documentFileName } from '#catalogue/documents/document-csv.ts';
import type { Options } from '#config/index.ts';
import { findMediaFile } from '#contracts/index.ts';
import { isDocumentField, PDF } from '#contracts/product/document-kinds.ts';
import { DECLARATION_KINDS, listRecordDocuments, type ProductRecord } from '#contracts/product/index.ts';
import type { SnapshotReader, StoredAsset } from '#snapshot/index.ts';
import {
  type DocumentAsset,
  type EarlierDocumentAsset,
  type ImageAsset,
  ANIMATIONS,
} from '#catalogue/entries/entries.ts';
import path from 'node:path';
import { sitePath } from '#catalogue/addresses/site-paths.ts';
import { plainSlug } from '#catalogue/addresses/slugs.ts';
import { MAX_ANIMATION_BYTES } from '#contracts/media-file.ts';

type DocumentOptions = Pick<Options, 'documents' | 'documentKinds'>;

/** Lists the documents of a record in display order. */
export function listDocumentAssets(
  snapshot: Pick<SnapshotReader, 'asset'>,
  record: ProductRecord,
  { documents, documentKinds }: DocumentOptions,
): DocumentAsset[] {
  const found = Map.groupBy(listRecordDocuments(record), ({ kind }) => kind);
  return documentKinds.flatMap(({ key }) =>
    (found.get(key) ?? []).map(({ url }) => {
      const asset = snapshot.asset(url, 'document');
      const mirrored = documents === 'mirror' && asset ? documentPath(asset) : undefined;
      return {
        field: key,
        href: mirrored ?? url,
        fileName: documentFileName(url),
        language: record.language,
        mimeType: isDocumentField(key)
          ? (asset?.mimeType ?? PDF)
          : (findMediaFile(url)?.mimeType ?? asset?.mimeType ?? PDF),
        bytes: asset?.bytes,
        modified: asset?.lastModified === undefined ? undefined : new Date(asset.lastModified),
        failure: failureOf(asset),
        digest: asset?.digest,
      };
    }),
  );
}

function failureOf(asset: StoredAsset | undefined): DocumentAsset['failure'] {
  if (!asset || asset.reachable) return undefined;
  return asset.details?.['rejected'] === undefined ? 'unreachable' : 'rejected';
}

/**
 * Lists earlier declarations of a product, newest first, without the current ones. Only they must stay available as
 * published.
 * @param languages The languages of the page and of the stored record. A page that lost its translation keeps its
 * earlier documents.
 */
export function listEarlierDocuments(
  snapshot: Pick<SnapshotReader, 'asset' | 'earlierDocuments'>,
  record: ProductRecord,
  languages: { page: string; storedAs: string },
  { documents, documentKinds }: DocumentOptions,
): EarlierDocumentAsset[] {
  const { gtin } = record;
  const current = listRecordDocuments(record);
  const seen = new Set(current.map(({ url }) => snapshot.asset(url, 'document')?.digest ?? url));
  return DECLARATION_KINDS.filter((field) => documentKinds.some(({ key }) => key === field)).flatMap((field) => {
    const urls = current.flatMap(({ kind, url }) => (kind === field ? url : []));
    return [...new Set([languages.page, languages.storedAs])]
      .flatMap((language) =>
        (urls.length > 0 ? urls : [undefined]).flatMap((url) =>
          snapshot.earlierDocuments({ gtin, language, field, url }),
        ),
      )
      .toSorted((a, b) => (a.replacedAt < b.replacedAt ? 1 : a.replacedAt > b.replacedAt ? -1 : 0))
      .flatMap((earlier) => {
        const { digest, file, bytes, replacedAt } = earlier;
        const name = digest ?? earlier.url;
        const mirrored = documents === 'mirror' ? documentPath({ ...earlier, kind: 'document' }) : undefined;
        // Replaced bytes can't be linked at their source, only mirrored.
        if (seen.has(name) || (file !== undefined && mirrored === undefined)) return [];
        seen.add(name);
        const href = mirrored ?? earlier.url;
        const fileName = documentFileName(earlier.url);
        const language = earlier.language ?? record.language;
        return { field, href, fileName, language, bytes, digest, replaced: new Date(replacedAt) };
      });
  });
}

/** Path prefix of mirrored documents and other files. */
export const DOCUMENT_PREFIX = '/documents/';

/**
 * Returns the path of a mirrored document, `/documents/1a2b3c4d-ab-10110-tds-de.pdf`. Changed bytes get another
 * address. Undefined if only the source has the file.
 */
export function documentPath({
  url,
  digest,
  file,
  kind,
}: Pick<StoredAsset, 'url' | 'digest' | 'file' | 'kind'>): string | undefined {
  if (kind === 'image' || !digest || !file) return undefined;
  // The extension is detected from the bytes, not taken from the address.
  const name = safeName(documentFileName(url), path.extname(file).slice(1) || 'pdf');
  return sitePath(`${DOCUMENT_PREFIX}${digest.slice(0, 8)}-${name}`);
}

function safeName(fileName: string, extension: string): string {
  const end = `.${extension}`;
  const bare = fileName.toLowerCase().endsWith(end) ? fileName.slice(0, -end.length) : fileName;
  return `${plainSlug(bare).slice(0, 80) || 'document'}${end}`;
}

const DIGEST_CHARACTERS = 16;

/** Returns an image as used by pages, or undefined if its bytes were never fetched. */
export function toImageAsset(
  snapshot: Pick<SnapshotReader, 'asset'>,
  url: string | null | undefined,
  texts: { alt: string; caption?: string },
): ImageAsset | undefined {
  const asset = url ? snapshot.asset(url, 'image') : undefined;
  if (!asset) return undefined;
  const { digest, file, width, height, mimeType, bytes = 0, details } = asset;
  if (!digest || !file || !width || !height || !mimeType) return undefined;
  const isAnimated = Number(details?.['frames']) > 1 && bytes <= MAX_ANIMATION_BYTES;
  const animation = ANIMATIONS.find((type) => mimeType === `image/${type}`);
  return {
    digest: digest.slice(0, DIGEST_CHARACTERS),
    width,
    height,
    mimeType,
    ...(isAnimated && animation && { animation }),
    alt: texts.alt,
    caption: texts.caption ?? '',
  };
}
