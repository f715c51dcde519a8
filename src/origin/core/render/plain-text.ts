/** The text of some HTML: markup, scripts and styles gone, white space collapsed. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replaceAll(/<\/?[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi, '')
    .replaceAll(/[\s\uFEFF]+/g, ' ')
    .trim();
}
