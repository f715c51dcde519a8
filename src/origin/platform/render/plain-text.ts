/**
 * The text of some HTML: markup, scripts and styles gone, white space collapsed. A tag that isn't closed takes the
 * rest with it. Reads each character a fixed number of times, whatever the text.
 */
export function plainText(html: string): string {
  let text = '';
  let at = 0;
  for (const next = /<(?:!--|\/?[a-z])/gi; ;) {
    next.lastIndex = at;
    const start = next.exec(html)?.index ?? html.length;
    text += html.slice(at, start);
    if (start === html.length) break;
    at = html.startsWith('<!--', start) ? endOf(html, '-->', start + 4) : endOfElement(html, start);
  }
  // What a tag stood between may have become one: `<<b>script>`.
  return text
    .replaceAll(/(?<!<)<+(?=[a-z/!?])/gi, '')
    .replaceAll(/[\s\uFEFF]+/g, ' ')
    .trim();
}

/** Behind a tag, or behind the whole of what is no text. */
function endOfElement(html: string, start: number): number {
  const end = endOfTag(html, start);
  const [, hidden] = /^<(script|style)\b/i.exec(html.slice(start, start + 10)) ?? [];
  if (hidden === undefined) return end;
  const closing = new RegExp(`</${hidden}\\s*>`, 'gi');
  closing.lastIndex = end;
  return closing.exec(html) ? closing.lastIndex : html.length;
}

/** A `>` inside quotes doesn't end a tag; a quote that isn't closed is none. */
function endOfTag(html: string, start: number): number {
  const mark = /[>"']/g;
  mark.lastIndex = start;
  for (let found = mark.exec(html); found; found = mark.exec(html)) {
    if (found[0] === '>') return mark.lastIndex;
    const closing = html.indexOf(found[0], mark.lastIndex);
    if (closing >= 0) mark.lastIndex = closing + 1;
  }
  return html.length;
}

function endOf(html: string, closing: string, from: number): number {
  const at = html.indexOf(closing, from);
  return at < 0 ? html.length : at + closing.length;
}
