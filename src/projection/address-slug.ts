/**
 * Characters that end a path or have a meaning for hosts, spaces and invisible characters. The two joiners stay,
 * because some scripts need them.
 */
const UNSAFE = /(?:(?![\w-])[\0-\x7f]|(?![\u200c\u200d])[\p{C}\p{Z}])+/gu;

/** In UTF-8 bytes. File systems allow 255, and files generated next to a page have longer names. */
const MAX_BYTES = 200;

/**
 * Converts a slug of the publishing site to a safe, readable path segment. Slugs without any safe character are
 * replaced by the id.
 */
export function addressSlug({ slug, id }: { slug: string; id: number }): string {
  const safe = decodeSlug(slug).normalize('NFC').replaceAll(UNSAFE, '-');
  return /^-*$/.test(safe) ? String(id) : cutAfter(safe, MAX_BYTES);
}

function cutAfter(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  // Drop a partial character at the end.
  return bytes
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd+$/, '');
}

/** Decodes a slug: publishing sites percent-encode non-ASCII slugs, while addresses here are readable. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
