const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/** Text as HTML. Entities that are already there stay as they are. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/&(?!(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi, '&amp;')
    .replaceAll(/[<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
