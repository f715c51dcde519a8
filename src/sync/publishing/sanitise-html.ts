import { type SanitiseHtmlOptions, finishHtml } from './finish-html.ts';
import sanitize from 'sanitize-html';
import { ADDRESSES, CLOSED, ELEMENTS, GENERAL_ATTRIBUTES, MATH, REPLACED } from '#contracts/html/index.ts';
import { balanceHtml } from './balance-html.ts';
import { cleanAttributes, isOfQuotation, type Attributes } from './clean-attributes.ts';
import { describeEmbed } from './describe-embed.ts';

const KEPT = Object.entries(ELEMENTS).flatMap(([name, rule]) => (rule.fate === 'kept' ? [{ name, rule }] : []));
const TAGS = [...KEPT.map(({ name }) => name), ...MATH];
const ATTRIBUTES = {
  '*': [...GENERAL_ATTRIBUTES],
  ...Object.fromEntries(KEPT.map(({ name, rule }) => [name, [...rule.attributes]])),
  mtd: ['columnspan', 'rowspan'],
};
const WITH_TEXT = Object.entries(ELEMENTS).flatMap(([name, { fate }]) => (fate === 'dropped' ? [name] : []));

const WEB = ['http', 'https'];

/**
 * HTML of an upstream as pages may show it: what carries meaning stays, by an allow-list of elements and attributes
 * (`contracts/html`), with http(s), `mailto`, `tel` and relative addresses; no styles, classes, scripts, frames or
 * forms. Ids get a prefix, and so do the links to them; a link to what isn't there is none. A first-level heading
 * becomes a second-level one, since the page has its own; what another site would show in a frame becomes a link to it,
 * marked with the name of that site in `data-embed`, so that a page can show it without asking there. So does an article
 * that is quoted whole, by the link that stands in for its frame. Sanitised twice it is the same as once.
 */
export function sanitiseHtml(html: string, options: SanitiseHtmlOptions = {}): string {
  if (!/[<&]/.test(html)) return html.replaceAll('>', '&gt;');
  return finishHtml(allowHtml(html, options.base), options);
}

/** Only what the allow-list names. */
export function allowHtml(html: string, base?: string): string {
  let isInQuotation = false;
  return sanitize(balanceHtml(linkBareEmbeds(html)), {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedSchemes: [...WEB, 'mailto', 'tel'],
    allowedSchemesByTag: { img: WEB, audio: WEB, video: WEB, source: WEB, track: WEB, blockquote: WEB, q: WEB },
    allowedSchemesAppliedToAttributes: [...ADDRESSES],
    allowProtocolRelative: false,
    nonTextTags: WITH_TEXT,
    nonBooleanAttributes: [],
    selfClosing: [...CLOSED],
    transformTags: {
      ...REPLACED,
      // Not a quotation of words: what counts is the link in it.
      blockquote: (tagName, attribs) => {
        isInQuotation = isOfQuotation(attribs);
        return { tagName: isInQuotation ? 'figure' : tagName, attribs };
      },
      a: (tagName, attribs) => {
        const embed = describeEmbed(attribs['href'] ?? '', base)?.provider;
        const isEmbed = embed !== undefined && (isInQuotation || attribs['data-embed'] === embed);
        isInQuotation = false;
        const { 'data-embed': _forged, ...rest } = attribs;
        return { tagName, attribs: isEmbed ? { ...rest, 'data-embed': embed } : rest };
      },
      area: (tagName, attribs) =>
        attribs['href']
          ? { tagName: 'a', attribs, text: attribs['alt']?.trim() || attribs['href'] }
          : { tagName, attribs },
      iframe: (tagName, attribs) => facade(attribs, base) ?? { tagName, attribs },
      frame: (tagName, attribs) => facade(attribs, base) ?? { tagName, attribs },
      embed: (tagName, attribs) => facade(attribs, base) ?? { tagName, attribs },
      span: (tagName, attribs) => ({ tagName: styledAs(attribs['style']) ?? tagName, attribs }),
      dialog: (_, attribs) => ({ tagName: 'div', attribs: 'open' in attribs ? attribs : { ...attribs, hidden: '' } }),
      '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(tagName, attribs, base) }),
    },
  });
}

/** What stands for a frame; nothing for the frame of a post that is linked beside it anyway. */
function facade({ src, title, ...attribs }: Attributes, base: string | undefined): sanitize.Tag | undefined {
  const embed = src === undefined || isOfQuotation(attribs) ? undefined : describeEmbed(src, base);
  if (!embed) return undefined;
  const { href, provider } = embed;
  return { tagName: 'a', attribs: { href, 'data-embed': provider }, text: title?.trim() || href };
}

/** Editors strike prices out, and set what is high or low, by a style. */
const STYLES: readonly [property: string, value: string, tag: string][] = [
  ['text-decoration', 'line-through', 's'],
  ['vertical-align', 'super', 'sup'],
  ['vertical-align', 'sub', 'sub'],
  ['font-weight', 'bold', 'b'],
  ['font-weight', '700', 'b'],
  ['font-style', 'italic', 'i'],
  ['text-decoration', 'underline', 'u'],
];

function styledAs(style = ''): string | undefined {
  const declared = style.toLowerCase().split(';');
  const says = (property: string, value: string) =>
    declared.some((one) => one.trimStart().startsWith(property) && one.split(/[\s:]/).includes(value));
  return STYLES.find(([property, value]) => says(property, value))?.[2];
}

/** An embed of which the publishing site knew no more than its address, as that address in a frame. */
function linkBareEmbeds(html: string): string {
  return html.replace(
    /(<div class="wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<>"]+)\s*(?=<\/div>)/g,
    '$1<iframe src="$2"></iframe>',
  );
}
