import { htmlText } from '#contracts/html/index.ts';
import { allowHtml } from './sanitise-html.ts';

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

/** The text of a piece of HTML on one line: tags left out, blocks and cells parted by a space, entities decoded. */
export function plainText(html: string): string {
  return htmlText(/[<&]/.test(html) ? allowHtml(withoutOpenBrackets(html)) : html);
}
