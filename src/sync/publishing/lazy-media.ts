import { trimTrailing } from '#contracts/index.ts';

type Attributes = Readonly<Record<string, string>>;

/** Attributes in which lazy-load plugins and galleries store the address of an image, video or frame. */
const LAZY_ADDRESSES = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-file', 'data-large-file'];
const LAZY_SETS = ['data-srcset', 'data-lazy-srcset'];
const LAZY_BACKGROUNDS = ['data-bg', 'data-background', 'data-background-image', 'data-bg-image', 'data-lazy-bg'];

/** File names of placeholder images. */
const PLACEHOLDER =
  /^(?:[\w-]{0,40}[._-])?(?:1x1|blank|spacer|transparent|trans|placeholder|pixel|lazy\w{0,20}|load(?:er|ing)|gr[ae]y|dummy|clear|empty)(?:[._-][\w.-]{0,40})?\.\w{3,4}$/i;

/** Returns the media address of an element as written, also from lazy-load attributes. Undefined if none is usable. */
export function mediaAddress(attribs: Attributes, base: string | undefined): string | undefined {
  const { src, srcset, class: classes = '' } = attribs;
  const isUsable = (address: string | undefined): address is string => isMediaAddress(address, base);
  const lazy =
    // Some plugins set attributes of these names to `true`.
    LAZY_ADDRESSES.map((name) => attribs[name]).find((address) => isUsable(address) && /[./]/.test(address)) ??
    LAZY_SETS.map((name) => largestOf(attribs[name], isUsable)).find(isUsable);
  const ownAddress = isUsable(src) ? src : undefined;
  const isLazy = /\blazy/i.test(classes.slice(0, 1000)) || (ownAddress !== undefined && isPlaceholder(ownAddress));
  return (isLazy ? (lazy ?? ownAddress) : (ownAddress ?? lazy)) ?? largestOf(srcset, isUsable);
}

/** Returns the poster address of a video. */
export function posterAddress(
  { poster, 'data-poster': lazy }: Attributes,
  base: string | undefined,
): string | undefined {
  return [poster, lazy].find((address) => isMediaAddress(address, base));
}

/** Returns the address of a background image that is content; undefined for decoration. */
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

/** True for usable http(s) addresses; also for relative ones if there is no base. */
function isMediaAddress(address: string | undefined, base: string | undefined): address is string {
  const text = address?.trim() ?? '';
  if (text === '' || text.startsWith('#')) return false;
  const url = URL.parse(text, base);
  return url ? /^https?:$/.test(url.protocol) && url.hostname !== '' : base === undefined && !/^[\\/]{2}/.test(text);
}

/** Returns the candidate of a `srcset` with the largest width or density. */
function largestOf(srcset = '', isUsable: (address: string) => boolean): string | undefined {
  let largest: { address: string; size: number } | undefined;
  const start = /[\s,]*([^\s,]\S*)/y;
  for (let match = start.exec(srcset); match; match = start.exec(srcset)) {
    const [, candidate = ''] = match;
    const address = trimTrailing(candidate, ',');
    // A trailing comma ends the candidate.
    const from = start.lastIndex;
    const comma = address === candidate ? srcset.indexOf(',', from) : from;
    const end = comma < 0 ? srcset.length : comma;
    const size = Number.parseFloat(srcset.slice(from, Math.min(end, from + 40))) || 1;
    if (isUsable(address) && size > (largest?.size ?? 0)) largest = { address, size };
    start.lastIndex = end;
  }
  return largest?.address;
}
