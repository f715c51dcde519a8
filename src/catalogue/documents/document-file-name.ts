/**
 * Last part of a document's address as a person reads it. It names a file in an archive that somebody unpacks: what
 * would lead to another folder is left out.
 */
export function documentFileName(address: string): string {
  const last =
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? '';
  return decode(last).replaceAll(/[/\\\p{Cc}]+/gu, '-') || 'document.pdf';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
