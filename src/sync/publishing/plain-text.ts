import sanitize from 'sanitize-html';
import { limitTags } from './limit-tags.ts';

const ESCAPED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** What stands right before a tag becomes one with the text behind it when the tag is left out: `<<b>script>`. */
function withoutOpenBrackets(html: string): string {
  const [first = '', ...parts] = html.split('<');
  let isBeforeTag = false;
  const kept = parts.toReversed().map((part, fromEnd) => {
    if (isBeforeTag && fromEnd > 0 && /^[/!?-]*$/.test(part)) return '';
    isBeforeTag = /^[a-z/!?]/i.test(part);
    return `<${part}`;
  });
  return first + kept.toReversed().join('');
}

/** The text of a piece of HTML on one line: tags left out, entities decoded. */
export function plainText(html: string): string {
  const escaped = sanitize(limitTags(withoutOpenBrackets(html)), { allowedTags: [], allowedAttributes: {} });
  return escaped
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ESCAPED[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
