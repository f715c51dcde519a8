import { findTags } from '#contracts/scan-text.ts';
import type { LinkType } from './tables.ts';

/** Limits per text, against hostile input. */
const MAX_TAGS = 20_000;
const MAX_LINKS = 2000;
const MAX_URL_LENGTH = 2000;
/** Maximum bytes of an indexed text. PostgreSQL limits index entries to 2,704 bytes. */
const MAX_INDEXED_BYTES = 2000;

export interface TextLink {
  /** Address as written in the text. */
  url: string;
  type: LinkType;
  /** Record path of an internal link. */
  targetPath: string | null;
  width: number | null;
  height: number | null;
}

/** Site that decides which links are internal. Addresses have no trailing slash. */
export interface LinkOrigin {
  url: string;
  /** Site address in stored texts, if the site has moved. */
  storedUrl?: string | undefined;
}

/**
 * Finds links and images in a text, each address once, in linear time. Links to fragments or queries of the page
 * itself are left out.
 *
 * @param pagePath path of the page that contains the text
 */
export function findLinks(html: string, pagePath: string | null, site: LinkOrigin): TextLink[] {
  const found = new Map<string, TextLink>();
  let tags = 0;
  for (const { source: tag } of findTags(html, /<(?:a|img)(?![\w-])/i)) {
    tags += 1;
    if (found.size === MAX_LINKS || tags > MAX_TAGS) break;
    const isImage = /^<img/i.test(tag);
    const url = attribute(tag, isImage ? 'src' : 'href');
    if (url === undefined || url === '' || url.length > MAX_URL_LENGTH || found.has(url)) continue;
    const target = resolveTarget(url, pagePath, site);
    if (target === undefined) continue;
    found.set(url, {
      url,
      type: linkType(isImage, target.path !== null),
      targetPath: isImage ? null : target.path,
      width: isImage ? pixels(attribute(tag, 'width')) : null,
      height: isImage ? pixels(attribute(tag, 'height')) : null,
    });
  }
  return [...found.values()];
}

const ATTRIBUTES = {
  href: attributePattern('href'),
  src: attributePattern('src'),
  width: attributePattern('width'),
  height: attributePattern('height'),
};

function attributePattern(name: string): RegExp {
  return new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
}

function attribute(tag: string, name: keyof typeof ATTRIBUTES): string | undefined {
  const [, double, single, bare] = ATTRIBUTES[name].exec(tag) ?? [];
  return (double ?? single ?? bare)?.replaceAll('&amp;', '&').trim();
}

function pixels(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function linkType(isImage: boolean, isInternal: boolean): LinkType {
  if (isImage) return isInternal ? 'image-in' : 'image-ex';
  return isInternal ? 'internal' : 'external';
}

/** Resolves an address. The path is null outside the site; undefined is returned for the page itself. */
function resolveTarget(address: string, pagePath: string | null, { url: siteUrl, storedUrl }: LinkOrigin) {
  const base = `${siteUrl}${pagePath ?? '/'}`;
  const url = URL.parse(address, base);
  if (!url) return { path: null };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { path: null };
  const root = [siteUrl, storedUrl]
    .flatMap((one) => (one === undefined || one === '' ? [] : [new URL(one)]))
    .find((one) => one.host === url.host);
  const prefix = root?.pathname.replace(/\/$/, '') ?? '';
  if (!root || !`${url.pathname}/`.startsWith(`${prefix}/`)) return { path: null };
  const path = normalizeRecordPath(url.pathname.slice(prefix.length));
  // The path is too long for any record.
  if (path === null) return undefined;
  const isSamePage = path === pagePath && (url.hash !== '' || url.search !== '' || address.startsWith('#'));
  return isSamePage ? undefined : { path };
}

/** Normalizes a path: lower case, with a trailing slash unless it names a file. Returns null if it is too long. */
export function normalizeRecordPath(pathname: string): string | null {
  const path = pathname.toLowerCase();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const normalized = path.endsWith('/') || name.includes('.') ? path : `${path}/`;
  return canBeIndexed(normalized) ? normalized : null;
}

/** True if a text is short enough for an indexed column. */
export function canBeIndexed(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_INDEXED_BYTES;
}
