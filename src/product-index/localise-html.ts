import type { Options } from '#config/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { documentPath } from './document-path.ts';
import { TEXT_FIELDS } from '#contracts/product/index.ts';
import type { ImageAsset } from '#model/entries.ts';
import { toImageAsset } from './image-asset.ts';
import { rewriteHtml, type HtmlResolvers } from './rewrite-html.ts';

type Assets = Pick<SnapshotReader, 'asset'>;

/** Finds the local copies of files that texts show, play or link to. */
export function localFiles(
  snapshot: Assets,
  documents: Options['documents'],
): Pick<HtmlResolvers, 'findImage' | 'findFile'> {
  return {
    findImage: (src, alt) => findImage(snapshot, src, alt),
    findFile: (address) => {
      const file =
        snapshot.asset(address, 'file') ?? (documents === 'mirror' ? snapshot.asset(address, 'document') : undefined);
      return file && documentPath(file);
    },
  };
}

/**
 * Finds an image by the address of its original, which publishing sites resize to `photo-1024x768.jpg`, or by its exact
 * address.
 */
export function findImage(snapshot: Assets, src: string, alt: string): ImageAsset | undefined {
  if (src === '') return undefined;
  const original = src.replace(/-\d+x\d+(\.[a-z]+)$/i, '$1');
  return toImageAsset(snapshot, original, { alt }) ?? toImageAsset(snapshot, src, { alt });
}

type ProductTexts = Partial<Record<(typeof TEXT_FIELDS)[number], string | null | undefined>>;

/**
 * Returns the product texts that differ from the record, with local images and copies of files. Other files become
 * links.
 */
export function localTexts(
  texts: ProductTexts,
  snapshot: Assets,
  documents: Options['documents'],
): Partial<Record<(typeof TEXT_FIELDS)[number], string>> {
  const rewriting = {
    ...localFiles(snapshot, documents),
    resolveLink: () => undefined,
    findArticle: () => undefined,
  };
  return Object.fromEntries(
    TEXT_FIELDS.flatMap((field) => {
      const html = texts[field] ?? '';
      const local = rewriteHtml(html, rewriting);
      return local === html ? [] : [[field, local]];
    }),
  );
}
