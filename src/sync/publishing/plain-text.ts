import sanitize from 'sanitize-html';
import { limitTags } from './limit-tags.ts';

const ESCAPED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** The text of a piece of HTML on one line: tags left out, entities decoded. */
export function plainText(html: string): string {
  const escaped = sanitize(limitTags(html), { allowedTags: [], allowedAttributes: {} });
  return escaped
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ESCAPED[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
