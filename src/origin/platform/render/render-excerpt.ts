import { autoparagraph } from './autoparagraph.ts';
import { excerptSource } from './excerpt-source.ts';
import { plainText } from './plain-text.ts';
import { renderContent } from './render-content.ts';
import { texturise } from './texturise.ts';

const USUAL_WORDS = 55;
const CUT = ' [&hellip;]';

/**
 * The excerpt as HTML: the stored one, or the first words of the content.
 *
 * @param words how many words a generated excerpt has; nothing of it changes a stored one
 * @param embeds HTML by the address it stands for in the content
 */
export function renderExcerpt(
  stored: string,
  content: string,
  words = USUAL_WORDS,
  embeds?: ReadonlyMap<string, string>,
): string {
  if (stored.trim() !== '') return autoparagraph(texturise(stored));
  const text = plainText(renderContent(excerptSource(content), embeds));
  if (text === '') return '';
  const all = text.split(' ');
  const limit = Math.max(0, words);
  const shown = all.length > limit ? all.slice(0, limit).join(' ') + CUT : text;
  return `<p>${texturise(shown)}</p>\n`;
}
