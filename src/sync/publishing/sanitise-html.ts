import sanitize from 'sanitize-html';
import { describeEmbed } from './describe-embed.ts';
import { limitTags } from './limit-tags.ts';

export interface SanitiseHtmlOptions {
  /** Address that relative ones are made absolute against; without it they stay relative. */
  base?: string;
}

const TAGS = (
  'p ul ol li strong em b i br sub sup a h2 h3 h4 h5 h6 blockquote cite code pre hr abbr dl dt dd ' +
  'table caption thead tbody tr th td figure figcaption img'
).split(' ');

/** Elements whose text goes with them: it isn't meant to be read. */
const WITH_TEXT = ['script', 'style', 'textarea', 'option', 'noscript', 'iframe', 'svg', 'math', 'template', 'object'];

/**
 * HTML of an upstream as pages may show it: only tags and attributes of an allow-list, only http(s), `mailto` and
 * relative addresses; no styles, classes, ids, scripts, frames or forms. A first-level heading becomes a second-level
 * one, since the page has its own; what another site would show in a frame becomes a link to it, marked with the
 * name of that site in `data-embed`, so that a page can show it without asking there. So does a writing that is quoted
 * whole, by the link that stands in for its frame.
 */
export function sanitiseHtml(html: string, { base }: SanitiseHtmlOptions = {}): string {
  let isInQuotation = false;
  return sanitize(linkBareEmbeds(limitTags(html)), {
    allowedTags: TAGS,
    allowedAttributes: {
      a: ['href', 'data-embed'],
      img: ['src', 'alt', 'width', 'height'],
      th: ['scope', 'colspan', 'rowspan'],
      td: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['http', 'https'] },
    allowProtocolRelative: false,
    nonTextTags: WITH_TEXT,
    transformTags: {
      h1: 'h2',
      // Not a quotation of words: what counts is the link in it.
      blockquote: (tagName, attribs) => {
        isInQuotation = isOfQuotation(attribs);
        return { tagName: isInQuotation ? 'figure' : tagName, attribs };
      },
      a: (tagName, { 'data-embed': _embed, ...attribs }) => {
        const embed = isInQuotation ? describeEmbed(attribs['href'] ?? '', base) : undefined;
        isInQuotation = false;
        const link = addressed(attribs, 'href', base);
        return { tagName, attribs: embed ? { ...link, 'data-embed': embed.provider } : link };
      },
      iframe: (tagName, attribs) => facade(attribs, base) ?? { tagName, attribs },
      video: (tagName, attribs) => facade(attribs, base) ?? { tagName, attribs },
      audio: (tagName, attribs) => facade(attribs, base) ?? { tagName, attribs },
      img: (tagName, attribs) => ({
        tagName,
        // Without one, a screen reader reads out the address.
        attribs: { ...addressed(numeric(attribs, ['width', 'height']), 'src', base), alt: attribs['alt'] ?? '' },
      }),
      th: (tagName, attribs) => ({ tagName, attribs: scoped(numeric(attribs, ['colspan', 'rowspan'])) }),
      td: (tagName, attribs) => ({ tagName, attribs: numeric(attribs, ['colspan', 'rowspan']) }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  });
}

type Attributes = Record<string, string>;

/** What stands for a frame; nothing for the frame of a post that is linked beside it anyway. */
function facade({ src, title, ...attribs }: Attributes, base: string | undefined): sanitize.Tag | undefined {
  const embed = src === undefined || isOfQuotation(attribs) ? undefined : describeEmbed(src, base);
  if (!embed) return undefined;
  const { href, provider } = embed;
  return { tagName: 'a', attribs: { href, 'data-embed': provider }, text: title?.trim() || href };
}

/** Publishing sites quote a writing, their own or of others of their kind, by a link and a frame beside it. */
function isOfQuotation({ class: classes }: Attributes): boolean {
  return classes?.split(/\s+/).includes('wp-embedded-content') ?? false;
}

/** An embed of which the publishing site knew no more than its address, as that address in a frame. */
function linkBareEmbeds(html: string): string {
  return html.replace(
    /(<div class="wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<>"]+)\s*(?=<\/div>)/g,
    '$1<iframe src="$2"></iframe>',
  );
}

/** The attributes with an address resolved, or without it where it isn't one that may stand there. */
function addressed(attribs: Attributes, name: 'href' | 'src', base: string | undefined): Attributes {
  const resolved = Object.entries(attribs).flatMap(([attribute, value]) => {
    const kept = attribute === name ? resolveAddress(value.trim(), base) : value;
    return kept === undefined ? [] : [[attribute, kept]];
  });
  return Object.fromEntries(resolved);
}

function resolveAddress(address: string, base: string | undefined): string | undefined {
  if (address.startsWith('#')) return address;
  if (base !== undefined) return URL.canParse(address, base) ? new URL(address, base).href : undefined;
  if (URL.canParse(address)) return new URL(address).href;
  return /^[\\/]{2}/.test(address) ? undefined : address;
}

function numeric(attribs: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(
    Object.entries(attribs).filter(([name, value]) => !names.includes(name) || /^\d{1,5}$/.test(value)),
  );
}

function scoped(attribs: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attribs).filter(([name, value]) => name !== 'scope' || /^(row|col|rowgroup|colgroup)$/.test(value)),
  );
}
