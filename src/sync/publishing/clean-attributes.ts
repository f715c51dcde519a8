import { URL_ATTRIBUTES } from '#contracts/html/html-text.ts';
import { withoutUserInfo } from '#contracts/index.ts';
import { backgroundAddress, mediaAddress, posterAddress } from './lazy-media.ts';

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
