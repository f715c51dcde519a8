import { autoparagraph } from './autoparagraph.ts';
import { dressImages } from './dress-images.ts';
import { hasBlocks } from './has-blocks.ts';
import { renderBlocks } from './render-blocks.ts';
import { texturise } from './texturise.ts';

/** Stored content as HTML: blocks lose their marks, text without blocks gets its paragraphs. */
export function renderContent(stored: string): string {
  const html = hasBlocks(stored) ? texturise(renderBlocks(stored)) : autoparagraph(texturise(stored));
  return dressImages(html);
}
