import { randomBytes } from 'node:crypto';
import sanitize from 'sanitize-html';

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/** Deeper than any page, and as deep as browsers go is twice of it. The parser's work grows with the depth at each tag. */
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

const words = (...lists: readonly string[]) => lists.flatMap((list) => list.split(' '));

const CONTENT_TAGS = words(TEXT, MORE_TEXT, BLOCKS, MORE_BLOCKS, TABLES, MEDIA, FORMS, MATHS);
const TITLE_TAGS = words('a abbr acronym b blockquote cite code del em i q s strike strong');

const SCHEMES = words('http https ftp ftps mailto news irc nntp feed tel sms callto webcal xmpp geo');
const ADDRESSES = words('href src cite data poster background longdesc usemap');

/** A value of a style that names no address and runs nothing. */
const PLAIN_STYLE = /^(?!.*(?:url|expression|image|element)\s*\()[^<>{};\\]*$/i;
const STYLES = words(
  'color background-color text-align text-decoration text-transform text-indent vertical-align letter-spacing ' +
    'line-height font-size font-family font-weight font-style float clear width height min-width min-height max-width ' +
    'max-height margin margin-top margin-right margin-bottom margin-left padding padding-top padding-right ' +
    'padding-bottom padding-left border border-top border-right border-bottom border-left border-width border-style ' +
    'border-color border-radius border-collapse border-spacing list-style-type display gap flex flex-basis flex-grow ' +
    'flex-direction flex-wrap justify-content align-items align-self aspect-ratio object-fit overflow column-count ' +
    'column-gap grid-template-columns grid-column grid-row direction writing-mode',
);

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': words('class id style title lang dir role hidden align data-* aria-*'),
  a: words('href rel rev name target download'),
  area: words('href alt coords nohref shape target'),
  audio: words('autoplay controls loop muted preload src'),
  blockquote: ['cite'],
  button: words('disabled name type value'),
  col: words('span valign width'),
  colgroup: words('span valign width'),
  data: ['value'],
  del: words('cite datetime'),
  details: ['open'],
  dialog: ['open'],
  fieldset: words('disabled name'),
  font: words('color face size'),
  hr: words('noshade size width'),
  img: words('alt border height hspace longdesc loading decoding fetchpriority src srcset sizes usemap vspace width'),
  ins: words('cite datetime'),
  label: ['for'],
  li: ['value'],
  map: ['name'],
  math: words('display alttext'),
  menu: ['type'],
  meter: words('high low max min optimum value'),
  object: words('data type'),
  ol: words('start type reversed'),
  pre: ['width'],
  progress: words('max value'),
  q: ['cite'],
  source: words('src srcset sizes type media'),
  table: words('bgcolor border cellpadding cellspacing rules summary width'),
  td: words('abbr axis bgcolor colspan headers height nowrap rowspan scope valign width'),
  textarea: words('cols rows disabled name readonly'),
  th: words('abbr axis bgcolor colspan headers height nowrap rowspan scope valign width'),
  time: ['datetime'],
  track: words('default kind label src srclang'),
  tr: words('bgcolor valign'),
  ul: ['type'],
  video: words('autoplay controls height loop muted playsinline poster preload src width'),
};

/** As the library takes them; made once, because it takes longer than filtering a short text. */
const ALLOWED = {
  allowedAttributes: Object.fromEntries(Object.entries(ATTRIBUTES).map(([tag, names]) => [tag, [...names]])),
  allowedSchemes: SCHEMES,
  allowedSchemesAppliedToAttributes: ADDRESSES,
  allowedStyles: { '*': Object.fromEntries(STYLES.map((name) => [name, [PLAIN_STYLE]])) },
  nonTextTags: [],
} satisfies sanitize.IOptions;

/**
 * Content or an excerpt as it is stored for users who may not write any HTML: tags, attributes, styles and addresses
 * of a list. What was inside a tag that is not on it stays as text. The marks of blocks survive.
 */
export function filterHtml(html: string): string {
  return filterWith(html, CONTENT_TAGS);
}

/** A title or description as it is stored for such users: a few inline tags. */
export function filterInline(html: string): string {
  return filterWith(html, TITLE_TAGS);
}

/** Comments that can not end early or hold markup; others are dropped. */
const PLAIN_COMMENT = /<!--(?!-?>)[^<>]*-->/g;

function filterWith(html: string, tags: readonly string[]): string {
  // The library drops comments. They wait behind marks that nobody can guess, and come back in text only: restored
  // inside an attribute they could end it.
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
  // Nobody writes that; it stays, as text.
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

/** What is behind a scheme that is not on the list stays, as a relative address that leads nowhere. */
function dropScheme(address: string): string {
  // Browsers do not see tabs and line breaks in addresses.
  let rest = address.replaceAll(/[\t\n\r]/g, '').trim();
  for (;;) {
    const [scheme = '', name = ''] = /^([a-z][a-z\d+.-]*)\s*:/i.exec(rest) ?? [];
    if (scheme === '' || SCHEMES.includes(name.toLowerCase())) return rest;
    rest = rest.slice(scheme.length).trim();
  }
}

/** Of embedded documents only PDF files are shown. */
function isPdf({ data, type }: Record<string, string | undefined>): boolean {
  return type === 'application/pdf' && data !== undefined && /\.pdf(?:[?#]|$)/i.test(data);
}

class TooDeep extends Error {}

/** HTML by the rules of `sanitize-html`; nothing where elements lie in each other deeper than a page has them. */
export function sanitise(html: string, rules: sanitize.IOptions): string | undefined {
  let depth = 0;
  const onOpenTag = () => {
    if (++depth > MAX_DEPTH) throw new TooDeep();
  };
  const onCloseTag = () => {
    depth--;
  };
  try {
    return sanitize(html, { ...rules, onOpenTag, onCloseTag });
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

/** Text as HTML. Entities that are already there stay as they are. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/&(?!(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi, '&amp;')
    .replaceAll(/[<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
