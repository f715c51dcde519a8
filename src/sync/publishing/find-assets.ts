import { htmlPieces } from '#contracts/html/index.ts';
import { mediaFileOf } from '#contracts/index.ts';
import type { FileReference } from '#contracts/synced/index.ts';

/**
 * The files that sanitised HTML shows, plays or links to, by absolute address, each once: all pictures; and from the
 * owner's hosts audio, video with their tracks, and linked files, recognised by their extension.
 * @param fileOf The file that a page of the publishing site is about.
 */
export function findAssets(
  html: string,
  isOwn: (address: string) => boolean,
  fileOf: (page: string) => string | undefined = () => undefined,
): FileReference[] {
  // Without an attribute there is no address.
  if (!html.includes('="')) return [];
  const found = new Map<string, FileReference>();
  const add = (address: string | undefined, kind: FileReference['kind']): void => {
    if (address && URL.canParse(address)) found.set(`${kind} ${address}`, { address, kind });
  };
  const addOwn = (address: string | undefined, kind: FileReference['kind']): void => {
    if (address && isOwn(address)) add(address, kind);
  };
  for (const piece of htmlPieces(html)) {
    if (piece.kind !== 'open') continue;
    const { name, attributes } = piece;
    const src = attributes.get('src');
    if (name === 'img') add(src, 'image');
    else if (['audio', 'video', 'source', 'track'].includes(name)) {
      addOwn(attributes.get('poster'), 'image');
      addOwn(src, 'file');
    } else if (name === 'a') {
      const href = attributes.get('href') ?? '';
      const address = href === '' || mediaFileOf(href) ? href : (fileOf(href) ?? '');
      const file = mediaFileOf(address);
      if (file) addOwn(address, file.kind);
    }
  }
  return [...found.values()];
}
