/**
 * Replaces the address a site had by the one it has, wherever it begins an address of the site: in links,
 * sources and plain text, not inside a longer host name or port.
 */
export function relocate(text: string, from: string | undefined, to: string): string {
  if (from === undefined || from === '' || from === to || !text.includes(from)) return text;
  return text.replaceAll(new RegExp(`${escapeText(from)}(?![\\w-]|[.:]\\w)`, 'g'), () => to);
}

function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
