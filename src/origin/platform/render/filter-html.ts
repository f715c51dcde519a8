import { randomBytes } from 'node:crypto';
import sanitize from 'sanitize-html';

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/**
 * Maximum nesting depth: more than any page has, and half the limit of browsers. The parser's work per tag grows with
 * the depth.
 */
const MAX_DEPTH = 256;

const TEXT = 'a abbr acronym b bdo big br cite code del dfn em font i ins kbd mark q s samp small span strike strong';
const MORE_TEXT = 'sub sup time tt u var wbr ruby rb rp rt rtc data';
const BLOCKS = 'address article aside blockquote center details dialog div dl dt dd figure figcaption footer header';
const MORE_BLOCKS = 'h1 h2 h3 h4 h5 h6 hgroup hr li main nav ol p pre section summary ul menu';
const TABLES = 'table caption col colgroup tbody td tfoot th thead tr';
const MEDIA = 'img audio video source track picture map area object';
const FORMS = 'button fieldset label legend textarea meter progress';
const MATHS =
  'math maction menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace ' +
  'msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics annotation';

const splitWords = (...lists: readonly string[]) => lists.flatMap((list) => list.split(' '));

const CONTENT_TAGS = splitWords(TEXT, MORE_TEXT, BLOCKS, MORE_BLOCKS, TABLES, MEDIA, FORMS, MATHS);
const TITLE_TAGS = splitWords('a abbr acronym b blockquote cite code del em i q s strike strong');

const SCHEMES = splitWords('http https ftp ftps mailto news irc nntp feed tel sms callto webcal xmpp geo');
const ADDRESSES = splitWords('href src cite data poster background longdesc usemap');

/** Matches style values without addresses or functions that execute something. */
const PLAIN_STYLE = /^(?!.*(?:url|expression|image|element)\s*\()[^<>{};\\]*$/i;
const STYLES = splitWords(
  'color background-color text-align text-decoration text-transform text-indent vertical-align letter-spacing ' +
    'line-height font-size font-family font-weight font-style float clear width height min-width min-height max-width ' +
    'max-height margin margin-top margin-right margin-bottom margin-left padding padding-top padding-right ' +
    'padding-bottom padding-left border border-top border-right border-bottom border-left border-width border-style ' +
    'border-color border-radius border-collapse border-spacing list-style-type display gap flex flex-basis flex-grow ' +
    'flex-direction flex-wrap justify-content align-items align-self aspect-ratio object-fit overflow column-count ' +
    'column-gap grid-template-columns grid-column grid-row direction writing-mode',
);

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': splitWords('class id style title lang dir role hidden align data-* aria-*'),
  a: splitWords('href rel rev name target download'),
  area: splitWords('href alt coords nohref shape target'),
  audio: splitWords('autoplay controls loop muted preload src'),
  blockquote: ['cite'],
  button: splitWords('disabled name type value'),
  col: splitWords('span valign width'),
  colgroup: splitWords('span valign width'),
  data: ['value'],
  del: splitWords('cite datetime'),
  details: ['open'],
  dialog: ['open'],
  fieldset: splitWords('disabled name'),
  font: splitWords('color face size'),
  hr: splitWords('noshade size width'),
  img: splitWords(
    'alt border height hspace longdesc loading decoding fetchpriority src srcset sizes usemap vspace width',
  ),
  ins: splitWords('cite datetime'),
  label: ['for'],
  li: ['value'],
  map: ['name'],
  math: splitWords('display alttext'),
  menu: ['type'],
  meter: splitWords('high low max min optimum value'),
  object: splitWords('data type'),
  ol: splitWords('start type reversed'),
  pre: ['width'],
  progress: splitWords('max value'),
  q: ['cite'],
  source: splitWords('src srcset sizes type media'),
  table: splitWords('bgcolor border cellpadding cellspacing rules summary width'),
  td: splitWords('abbr axis bgcolor colspan headers height nowrap rowspan scope valign width'),
  textarea: splitWords('cols rows disabled name readonly'),
  th: splitWords('abbr axis bgcolor colspan headers height nowrap rowspan scope valign width'),
  time: ['datetime'],
  track: splitWords('default kind label src srclang'),
  tr: splitWords('bgcolor valign'),
  ul: ['type'],
  video: splitWords('autoplay controls height loop muted playsinline poster preload src width'),
};

/** Options of `sanitize-html`. Created once, as that takes longer than filtering a short text. */
const ALLOWED = {
  allowedAttributes: Object.fromEntries(Object.entries(ATTRIBUTES).map(([tag, names]) => [tag, [...names]])),
  allowedSchemes: SCHEMES,
  allowedSchemesAppliedToAttributes: ADDRESSES,
  allowedStyles: { '*': Object.fromEntries(STYLES.map((name) => [name, [PLAIN_STYLE]])) },
  nonTextTags: [],
} satisfies sanitize.IOptions;

/**
 * Filters content for users without the right to unfiltered HTML: allows a list of tags, attributes, styles and
 * addresses. Text inside other tags is preserved, as are block comments.
 */
export function filterHtml(html: string): string {
  return filterWith(html, CONTENT_TAGS);
}

/** Filters a title or description: allows a few inline tags. */
export function filterInline(html: string): string {
  return filterWith(html, TITLE_TAGS);
}

/** Comments that can't end early or contain markup. Others are dropped. */
const PLAIN_COMMENT = /<!--(?!-?>)[^<>]*-->/g;

function filterWith(html: string, tags: readonly string[]): string {
  // The library drops comments, so they are replaced by placeholders with a random nonce. They are restored in text
  // only, as a comment could end an attribute.
  const nonce = randomBytes(9).toString('hex');
  const mark = new RegExp(`\\[${nonce}:(\\d+)\\]`, 'g');
  const comments: string[] = [];
  const marked = html.replaceAll(PLAIN_COMMENT, (comment) => `[${nonce}:${comments.push(comment) - 1}]`);
  const filtered = sanitise(marked, {
    ...ALLOWED,
    allowedTags: [...tags],
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(attribs, mark) }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'object' && !isPdf(attribs),
    textFilter: (text) => text.replaceAll(mark, (_, index: string) => comments[Number(index)] ?? ''),
  });
  // Too deeply nested HTML is preserved as text.
  return filtered === undefined ? escapeHtml(html) : filtered.replaceAll(mark, '');
}

function cleanAttributes(attribs: Record<string, string>, mark: RegExp): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attribs).map(([name, value]) => {
      const plain = value.replaceAll(mark, '');
      return [name, ADDRESSES.includes(name) ? dropScheme(plain) : plain];
    }),
  );
}

/** Removes schemes that are not allowed. The remainder is a relative address. */
function dropScheme(address: string): string {
  // Browsers ignore tabs and line breaks in addresses.
  let remaining = address.replaceAll(/[\t\n\r]/g, '').trim();
  for (;;) {
    const [scheme = '', name = ''] = /^([a-z][a-z\d+.-]*)\s*:/i.exec(remaining) ?? [];
    if (scheme === '' || SCHEMES.includes(name.toLowerCase())) return remaining;
    remaining = remaining.slice(scheme.length).trim();
  }
}

/** Embedded documents must be PDF files. */
function isPdf({ data, type }: Record<string, string | undefined>): boolean {
  return type === 'application/pdf' && data !== undefined && /\.pdf(?:[?#]|$)/i.test(data);
}

class TooDeepError extends Error {}

/** Sanitises HTML by rules of `sanitize-html`. Returns undefined if elements are nested too deeply. */
export function sanitise(html: string, rules: sanitize.IOptions): string | undefined {
  let depth = 0;
  const onOpenTag = () => {
    if (++depth > MAX_DEPTH) throw new TooDeepError();
  };
  const onCloseTag = () => {
    depth--;
  };
  try {
    return sanitize(html, { ...rules, onOpenTag, onCloseTag });
  } catch (error) {
    if (error instanceof TooDeepError) return undefined;
    throw error;
  }
}

/** Escapes text for HTML. Existing entities are preserved. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/&(?!(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi, '&amp;')
    .replaceAll(/[<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
