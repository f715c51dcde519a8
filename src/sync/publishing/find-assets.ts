import { htmlPieces } from '#contracts/html/index.ts';
import { mediaFileOf } from '#contracts/index.ts';
import type { FileReference } from '#contracts/synced/index.ts';

/**
 * The files that sanitised HTML shows, plays or links to, by absolute address, each once: all pictures; and from the
 * owner's hosts audio, video with their tracks, and linked files, recognised by their extension.
 */
export function findAssets(html: string, isMediaHost: (url: URL) => boolean): FileReference[] {
  // Without an attribute there is no address.
  if (!html.includes('="')) return [];
  const found = new Map<string, FileReference>();
  const add = (address: string | undefined, kind: FileReference['kind']): void => {
    if (address && URL.canParse(address)) found.set(`${kind} ${address}`, { address, kind });
  };
  const addOwn = (address: string | undefined, kind: FileReference['kind']): void => {
    if (address && URL.canParse(address) && isMediaHost(new URL(address))) add(address, kind);
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
      const file = mediaFileOf(attributes.get('href') ?? '');
      if (file) addOwn(attributes.get('href'), file.kind);
    }
  }
  return [...found.values()];
}
