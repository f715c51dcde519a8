import { ADDRESSES } from '#contracts/html/index.ts';
import { withoutUserInfo } from '#contracts/index.ts';
import { backgroundAddress, mediaAddress, posterAddress } from './lazy-media.ts';

/** Marks the address of a background image, which becomes an image in the element. */
export const BACKGROUND = 'data-background-image';

export type Attributes = Record<string, string>;

const DIGITS = /^\d{1,5}$/;
const NUMBER = /^-?\d{1,9}$/;
const LANGUAGE = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i;

/** What a value must look like; others go. Attributes that aren't named here may say anything. */
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

/** Boolean attributes. */
const BOOLEAN = new Set(['hidden', 'open', 'reversed', 'controls', 'loop', 'muted', 'default', 'download']);

const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** The attributes of an element that stays, prepared for the allow-list: addresses resolved, empty ones removed. */
export function cleanAttributes(tag: string, attribs: Attributes, base: string | undefined): Attributes {
  const cleaned: Attributes = {};
  const { [BACKGROUND]: _forged, ...own } = attribs;
  for (const [name, value] of Object.entries({ ...own, ...impliedBy(tag, attribs, base) })) {
    const kept = cleanValue(tag, name, value.trim(), base);
    if (kept !== undefined) cleaned[name] = kept;
  }
  return cleaned;
}

function cleanValue(tag: string, name: string, value: string, base: string | undefined): string | undefined {
  if (BOOLEAN.has(name)) return '';
  if (name === BACKGROUND || ADDRESSES.some((address) => address === name))
    return withoutUserInfo(resolveAddress(value, base) ?? '') || undefined;
  if (name === 'alt') return value;
  if (value === '' || VALUES[name]?.test(value) === false) return undefined;
  if (name === 'type' && tag === 'ol') return /^[1aAiI]$/.test(value) ? value : undefined;
  if (name === 'value' && tag === 'li') return NUMBER.test(value) ? value : undefined;
  if (name === 'value' && tag === 'data') return value.slice(0, 200);
  return value;
}

/** What an element says in another way, or has to say here. */
function impliedBy(tag: string, attribs: Attributes, base: string | undefined): Attributes {
  const { id, name, style = '', 'xml:lang': language, lang = language } = attribs;
  const general: Attributes = {
    ...(lang !== undefined && { lang }),
    ...(HIDDEN.test(style.slice(0, 500)) && { hidden: '' }),
  };
  switch (tag) {
    case 'a':
      // `name` was the anchor before every element could have an ID.
      return id === undefined && name !== undefined ? { ...general, id: name } : general;
    case 'img':
      // Without `alt`, a screen reader reads out the address.
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
      return { ...general, [BACKGROUND]: background, alt: attribs['aria-label'] ?? '' };
    }
    default:
      return general;
  }
}

/** Frames and images that only count visits. */
export function isInvisible({ width = '', height = '', style = '' }: Attributes): boolean {
  return [width, height].every((side) => ['0', '1'].includes(side)) || HIDDEN.test(style.slice(0, 500));
}

/** Publishing sites embed articles, their own or of similar sites, as a link with an iframe beside it. */
export function isOfQuotation({ class: classes }: Attributes): boolean {
  return classes?.split(/\s+/).includes('wp-embedded-content') ?? false;
}

function resolveAddress(address: string, base: string | undefined): string | undefined {
  if (address === '') return undefined;
  if (address.startsWith('#')) return address;
  if (base !== undefined) return URL.canParse(address, base) ? new URL(address, base).href : undefined;
  if (URL.canParse(address)) return new URL(address).href;
  return /^[\\/]{2}/.test(address) ? undefined : address;
}
