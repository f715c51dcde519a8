import { tokenizeHtml } from '#contracts/html/html-text.ts';
import { findMediaFile } from '#contracts/index.ts';
import type { FileReference } from '#contracts/synced/index.ts';

/**
 * Finds the files that sanitised HTML shows, plays or links to, by absolute address, without duplicates. Includes all
 * images. Audio, video with tracks, and linked files count only on allowed hosts.
 * @param isOwn True for addresses of allowed hosts.
 * @param fileOf Returns the file of an attachment page of the publishing site.
 */
export function findAssets(
  html: string,
  isOwn: (address: string) => boolean,
  fileOf: (page: string) => string | undefined = () => undefined,
): FileReference[] {
  // Skip HTML without attributes.
  if (!html.includes('="')) return [];
  const assets = new Map<string, FileReference>();
  const add = (address: string | undefined, kind: FileReference['kind']): void => {
    if (address && URL.canParse(address)) assets.set(`${kind} ${address}`, { address, kind });
  };
  const addAllowed = (address: string | undefined, kind: FileReference['kind']): void => {
    if (address && isOwn(address)) add(address, kind);
  };
  for (const piece of tokenizeHtml(html)) {
    if (piece.kind !== 'open') continue;
    const { name, attributes } = piece;
    const src = attributes.get('src');
    if (name === 'img') add(src, 'image');
    else if (['audio', 'video', 'source', 'track'].includes(name)) {
      addAllowed(attributes.get('poster'), 'image');
      addAllowed(src, 'file');
    } else if (name === 'a') {
      const href = attributes.get('href') ?? '';
      const address = href === '' || findMediaFile(href) ? href : (fileOf(href) ?? '');
      const file = findMediaFile(address);
      if (file) addAllowed(address, file.kind);
    }
  }
  return [...assets.values()];
}
