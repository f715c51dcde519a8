import { autoparagraph } from './autoparagraph.ts';
import { dressImages } from './dress-images.ts';
import { hasBlocks } from './has-blocks.ts';
import { placeEmbeds } from './place-embeds.ts';
import { renderBlocks } from './render-blocks.ts';
import { texturise } from './texturise.ts';

/**
 * Stored content as HTML: blocks lose their marks, text without blocks gets its paragraphs.
 *
 * @param embeds HTML by the address it stands for, where that has a line of its own
 */
export function renderContent(stored: string, embeds: ReadonlyMap<string, string> = new Map()): string {
  return placeEmbeds(stored, embeds, (text) =>
    dressImages(hasBlocks(text) ? texturise(renderBlocks(text)) : autoparagraph(texturise(text))),
  );
}
