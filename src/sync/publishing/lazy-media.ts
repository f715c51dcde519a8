import { trimEndOf } from '#contracts/index.ts';

type Attributes = Readonly<Record<string, string>>;

/** Attributes in which lazy-load plug-ins and galleries keep the address of an image, video or frame. */
const LAZY_ADDRESSES = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-file', 'data-large-file'];
const LAZY_SETS = ['data-srcset', 'data-lazy-srcset'];
const LAZY_BACKGROUNDS = ['data-bg', 'data-background', 'data-background-image', 'data-bg-image', 'data-lazy-bg'];

/** File names of images that hold the place of one that is loaded later. */
const PLACEHOLDER =
  /^(?:[\w-]{0,40}[._-])?(?:1x1|blank|spacer|transparent|trans|placeholder|pixel|lazy\w{0,20}|load(?:er|ing)|gr[ae]y|dummy|clear|empty)(?:[._-][\w.-]{0,40})?\.\w{3,4}$/i;

/**
 * The address of what an element shows or plays, as it is written, wherever a lazy-load plug-in has put it; undefined
 * if it has none that a page can use.
 */
export function mediaAddress(attribs: Attributes, base: string | undefined): string | undefined {
  const { src, srcset, class: classes = '' } = attribs;
  const isUsable = (address: string | undefined): address is string => isMediaAddress(address, base);
  const lazy =
    // Others say `true` in attributes of these names.
    LAZY_ADDRESSES.map((name) => attribs[name]).find((address) => isUsable(address) && /[./]/.test(address)) ??
    LAZY_SETS.map((name) => largestOf(attribs[name], isUsable)).find(isUsable);
  const own = isUsable(src) ? src : undefined;
  const isLazy = /\blazy/i.test(classes.slice(0, 1000)) || (own !== undefined && isPlaceholder(own));
  return (isLazy ? (lazy ?? own) : (own ?? lazy)) ?? largestOf(srcset, isUsable);
}

/** The same of the picture that a video shows before it plays. */
export function posterAddress(
  { poster, 'data-poster': lazy }: Attributes,
  base: string | undefined,
): string | undefined {
  return [poster, lazy].find((address) => isMediaAddress(address, base));
}

/** The address of a CSS background that is an image of the text; undefined for decoration. */
export function backgroundAddress(attribs: Attributes, base: string | undefined): string | undefined {
  const { class: classes = '', role, style = '' } = attribs;
  if (role !== 'img' && !/\bwp-block-cover/.test(classes.slice(0, 1000))) return undefined;
  const declared = style.split(';').filter((declaration) => /^\s*background/i.test(declaration));
  const values = [...LAZY_BACKGROUNDS.map((name) => attribs[name] ?? ''), ...declared];
  return values
    .map((value) => /url\(\s*["']?([^"')]*)/i.exec(value)?.[1] ?? value)
    .map((address) => address.trim())
    .find((address) => isMediaAddress(address, base));
}

function isPlaceholder(address: string): boolean {
  const name =
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? '';
  return name.length <= 100 && PLACEHOLDER.test(name);
}

/** Relative addresses count where there is nothing that they could be relative to. */
function isMediaAddress(address: string | undefined, base: string | undefined): address is string {
  const text = address?.trim() ?? '';
  if (text === '' || text.startsWith('#')) return false;
  const url = URL.parse(text, base);
  return url ? /^https?:$/.test(url.protocol) && url.hostname !== '' : base === undefined && !/^[\\/]{2}/.test(text);
}

/** The candidate of a `srcset` with the largest width or density. */
function largestOf(srcset = '', isUsable: (address: string) => boolean): string | undefined {
  let largest: { address: string; size: number } | undefined;
  const start = /[\s,]*([^\s,]\S*)/y;
  for (let found = start.exec(srcset); found; found = start.exec(srcset)) {
    const [, written = ''] = found;
    const address = trimEndOf(written, ',');
    // A comma at its end is the end of the candidate.
    const from = start.lastIndex;
    const comma = address === written ? srcset.indexOf(',', from) : from;
    const end = comma < 0 ? srcset.length : comma;
    const size = Number.parseFloat(srcset.slice(from, Math.min(end, from + 40))) || 1;
    if (isUsable(address) && size > (largest?.size ?? 0)) largest = { address, size };
    start.lastIndex = end;
  }
  return largest?.address;
}
