/**
 * Returns the decoded file name of a document's URL. Path separators and control characters are replaced, because the
 * name may be used when an archive is unpacked.
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
