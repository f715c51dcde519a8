import { URL_ATTRIBUTES } from '#contracts/html/elements.ts';
import { trimTrailing, withoutUserInfo } from '#contracts/index.ts';

/** Marks the address of a background image, which becomes an image in the element. */
export const BACKGROUND_ATTRIBUTE = 'data-background-image';

export type Attributes = Record<string, string>;

const DIGITS = /^\d{1,5}$/;
const NUMBER = /^-?\d{1,9}$/;
const LANGUAGE = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i;

/** Allowed values by attribute; other values are removed. Attributes that aren't listed are unrestricted. */
const VALUES: Readonly<Record<string, RegExp>> = {
  width: DIGITS,
  height: DIGITS,
  colspan: DIGITS,
  rowspan: DIGITS,
  columnspan: DIGITS,
  span: DIGITS,
  start: NUMBER,
  lang: LANGUAGE,
  hreflang: LANGUAGE,
  srclang: LANGUAGE,
  dir: /^(ltr|rtl|auto)$/i,
  translate: /^(yes|no)$/i,
  scope: /^(row|col|rowgroup|colgroup)$/,
  display: /^(block|inline)$/,
  kind: /^(subtitles|captions|descriptions|chapters|metadata)$/,
};

const BOOLEAN = new Set(['hidden', 'open', 'reversed', 'controls', 'loop', 'muted', 'default', 'download']);

const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Prepares the attributes of an allowed element for the allow-list: resolves addresses and removes empty values. */
export function cleanAttributes(tag: string, attribs: Attributes, base: string | undefined): Attributes {
  const cleaned: Attributes = {};
  const { [BACKGROUND_ATTRIBUTE]: _forged, ...rest } = attribs;
  for (const [name, value] of Object.entries({ ...rest, ...impliedBy(tag, attribs, base) })) {
    const cleanedValue = cleanValue(tag, name, value.trim(), base);
    if (cleanedValue !== undefined) cleaned[name] = cleanedValue;
  }
  return cleaned;
}

function cleanValue(tag: string, name: string, value: string, base: string | undefined): string | undefined {
  if (BOOLEAN.has(name)) return '';
  if (name === BACKGROUND_ATTRIBUTE || URL_ATTRIBUTES.some((address) => address === name))
    return withoutUserInfo(resolveAddress(value, base) ?? '') || undefined;
  if (name === 'alt') return value;
  if (value === '' || VALUES[name]?.test(value) === false) return undefined;
  if (name === 'type' && tag === 'ol') return /^[1aAiI]$/.test(value) ? value : undefined;
  if (name === 'value' && tag === 'li') return NUMBER.test(value) ? value : undefined;
  if (name === 'value' && tag === 'data') return value.slice(0, 200);
  return value;
}

/** Attributes that follow from other ones, or that are required here. */
function impliedBy(tag: string, attribs: Attributes, base: string | undefined): Attributes {
  const { id, name, style = '', 'xml:lang': language, lang = language } = attribs;
  const general: Attributes = {
    ...(lang !== undefined && { lang }),
    ...(HIDDEN.test(style.slice(0, 500)) && { hidden: '' }),
  };
  switch (tag) {
    case 'a':
      // Before every element could have an ID, anchors used `name`.
      return id === undefined && name !== undefined ? { ...general, id: name } : general;
    case 'img':
      // A screen reader reads the address if `alt` is missing.
      return { ...general, src: mediaAddress(attribs, base) ?? '', alt: attribs['alt'] ?? '' };
    case 'audio':
      return { ...general, src: mediaAddress(attribs, base) ?? '', controls: '', preload: 'none' };
    case 'video': {
      const [src = '', poster = ''] = [mediaAddress(attribs, base), posterAddress(attribs, base)];
      return { ...general, src, poster, controls: '', preload: 'metadata' };
    }
    case 'source':
      return { ...general, src: mediaAddress(attribs, base) ?? '' };
    case 'div':
    case 'figure':
    case 'section':
    case 'span': {
      const background = backgroundAddress(attribs, base);
      if (background === undefined) return general;
      return { ...general, [BACKGROUND_ATTRIBUTE]: background, alt: attribs['aria-label'] ?? '' };
    }
    default:
      return general;
  }
}

/** True for frames and images that only count visits. */
export function isInvisible({ width = '', height = '', style = '' }: Attributes): boolean {
  return [width, height].every((side) => ['0', '1'].includes(side)) || HIDDEN.test(style.slice(0, 500));
}

/** True for an iframe of a quoted article. Publishing sites embed articles as a link next to such an iframe. */
export function isQuotationFrame({ class: classes }: Attributes): boolean {
  return classes?.split(/\s+/).includes('wp-embedded-content') ?? false;
}

function resolveAddress(address: string, base: string | undefined): string | undefined {
  if (address === '') return undefined;
  if (address.startsWith('#')) return address;
  if (base !== undefined) return URL.canParse(address, base) ? new URL(address, base).href : undefined;
  if (URL.canParse(address)) return new URL(address).href;
  return /^[\\/]{2}/.test(address) ? undefined : address;
}

/** Attributes in which lazy-load plugins and galleries store the address of an image, video or frame. */
const LAZY_ADDRESSES = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-file', 'data-large-file'];
const LAZY_SETS = ['data-srcset', 'data-lazy-srcset'];
const LAZY_BACKGROUNDS = ['data-bg', 'data-background', 'data-background-image', 'data-bg-image', 'data-lazy-bg'];

/** File names of placeholder images. */
const PLACEHOLDER =
  /^(?:[\w-]{0,40}[._-])?(?:1x1|blank|spacer|transparent|trans|placeholder|pixel|lazy\w{0,20}|load(?:er|ing)|gr[ae]y|dummy|clear|empty)(?:[._-][\w.-]{0,40})?\.\w{3,4}$/i;

/** Returns the media address of an element as written, also from lazy-load attributes. Undefined if none is usable. */
export function mediaAddress(attribs: Readonly<Attributes>, base: string | undefined): string | undefined {
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
function posterAddress(
  { poster, 'data-poster': lazy }: Readonly<Attributes>,
  base: string | undefined,
): string | undefined {
  return [poster, lazy].find((address) => isMediaAddress(address, base));
}

/** Returns the address of a background image that is content; undefined for decoration. */
export function backgroundAddress(attribs: Readonly<Attributes>, base: string | undefined): string | undefined {
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
