import { decodeSlug } from './decode-slug.ts';

/**
 * Signs of ASCII, of which some end a path or mean something to a host, and spaces and invisible characters, but for the
 * two that scripts need to join their letters.
 */
const UNSAFE = /(?:(?![\w-])[\0-\x7f]|(?![\u200c\u200d])[\p{C}\p{Z}])+/gu;

/** Of UTF-8: a file system takes 255, and what stands beside a page has a longer name. */
const MAX_BYTES = 200;

/**
 * The slug of something of the publishing site as a part of an address here, as people read it: nothing in it ends a
 * path, leads out of it or stands for something else in the files of a host. What has nothing left goes by its id.
 */
export function addressSlug({ slug, id }: { slug: string; id: number }): string {
  const safe = decodeSlug(slug).normalize('NFC').replaceAll(UNSAFE, '-');
  return /^-*$/.test(safe) ? String(id) : cutAfter(safe, MAX_BYTES);
}

function cutAfter(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  // Half a character at the end is left out.
  return bytes
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd+$/, '');
}
