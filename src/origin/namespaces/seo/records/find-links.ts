import { findTags } from '#contracts/scan-text.ts';
import type { LinkType } from './tables.ts';

/** Beyond these a text is no text any more. */
const MAX_TAGS = 20_000;
const MAX_LINKS = 2000;
const MAX_URL_LENGTH = 2000;
/** Bytes: an index takes no more than 2,704. */
const MAX_INDEXED = 2000;

export interface FoundLink {
  /** As the text has it. */
  url: string;
  type: LinkType;
  /** Internal ones: path below the address of the site. */
  targetPath: string | null;
  width: number | null;
  height: number | null;
}

/** The site that links are internal to. Addresses have no slash at the end. */
export interface LinkedSite {
  url: string;
  /** The address that stored texts have where the site has moved. */
  storedUrl?: string | undefined;
}

/**
 * Links and pictures in a text, each address once, in time that grows with its length. Links that stay on the page
 * itself, at another place or with another query, are none.
 *
 * @param ownPath path of the page that the text is on
 */
export function findLinks(html: string, ownPath: string | null, site: LinkedSite): FoundLink[] {
  const found = new Map<string, FoundLink>();
  let tags = 0;
  for (const { source: tag } of findTags(html, /<(?:a|img)(?![\w-])/i)) {
    tags += 1;
    if (found.size === MAX_LINKS || tags > MAX_TAGS) break;
    const isImage = /^<img/i.test(tag);
    const url = attribute(tag, isImage ? 'src' : 'href');
    if (url === undefined || url === '' || url.length > MAX_URL_LENGTH || found.has(url)) continue;
    const target = targetOf(url, ownPath, site);
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
  href: valueOf('href'),
  src: valueOf('src'),
  width: valueOf('width'),
  height: valueOf('height'),
};

function valueOf(name: string): RegExp {
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

/** Where an address leads; a null path is outside of the site, nothing at all is the page itself. */
function targetOf(address: string, ownPath: string | null, { url: home, storedUrl }: LinkedSite) {
  const base = `${home}${ownPath ?? '/'}`;
  const url = URL.parse(address, base);
  if (!url) return { path: null };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { path: null };
  const root = [home, storedUrl]
    .flatMap((one) => (one === undefined || one === '' ? [] : [new URL(one)]))
    .find((one) => one.host === url.host);
  const prefix = root?.pathname.replace(/\/$/, '') ?? '';
  if (!root || !`${url.pathname}/`.startsWith(`${prefix}/`)) return { path: null };
  const path = recordPath(url.pathname.slice(prefix.length));
  // Nothing has such a path.
  if (path === null) return undefined;
  const staysHere = path === ownPath && (url.hash !== '' || url.search !== '' || address.startsWith('#'));
  return staysHere ? undefined : { path };
}

/** A path as records have theirs: in lower case, with a slash at the end unless it names a file; null where it is too long. */
export function recordPath(pathname: string): string | null {
  const path = pathname.toLowerCase();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const whole = path.endsWith('/') || name.includes('.') ? path : `${path}/`;
  return canBeIndexed(whole) ? whole : null;
}

/** Whether a column that is looked up can hold a text. */
export function canBeIndexed(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_INDEXED;
}
