/** Treatment of an element in HTML of an upstream. */
export type ElementRule =
  /** Preserved, with these attributes and the general ones. */
  | { fate: 'kept'; attributes: readonly string[] }
  /** Replaced by another element or by its content; `by` describes the replacement in the documentation. */
  | { fate: 'changed'; by: string }
  /** Removed with its content. */
  | { fate: 'dropped' };

/** Attributes allowed on every preserved element. */
export const GENERAL_ATTRIBUTES = [
  'id',
  'lang',
  'dir',
  'title',
  'hidden',
  'translate',
  'aria-describedby',
  'aria-details',
  'aria-labelledby',
] as const;

/** Attributes with a space-separated list of ids in the same text. */
export const ID_LISTS = ['aria-describedby', 'aria-details', 'aria-labelledby', 'headers'] as const;

/** Attributes with a URL. */
export const URL_ATTRIBUTES = ['href', 'src', 'cite', 'poster'] as const;

const KEPT: Readonly<Record<string, string>> = {
  a: 'href hreflang download aria-label data-embed',
  abbr: '',
  address: '',
  article: '',
  aside: '',
  audio: 'src controls preload loop muted aria-label',
  b: '',
  bdi: '',
  bdo: '',
  blockquote: 'cite',
  br: '',
  caption: '',
  cite: '',
  code: '',
  col: 'span',
  colgroup: 'span',
  data: 'value',
  dd: '',
  del: 'cite datetime',
  details: 'open',
  dfn: '',
  div: '',
  dl: '',
  dt: '',
  em: '',
  figcaption: '',
  figure: '',
  h2: '',
  h3: '',
  h4: '',
  h5: '',
  h6: '',
  hgroup: '',
  hr: '',
  i: '',
  img: 'src alt width height',
  ins: 'cite datetime',
  kbd: '',
  li: 'value',
  mark: '',
  math: 'display',
  nav: 'aria-label',
  ol: 'start reversed type',
  p: '',
  pre: '',
  q: 'cite',
  rp: '',
  rt: '',
  ruby: '',
  s: '',
  samp: '',
  section: 'aria-label',
  small: '',
  source: 'src type',
  span: '',
  strong: '',
  sub: '',
  summary: '',
  sup: '',
  table: '',
  tbody: '',
  td: 'colspan rowspan headers',
  tfoot: '',
  th: 'scope colspan rowspan headers abbr',
  thead: '',
  time: 'datetime',
  tr: '',
  track: 'src kind srclang label default',
  u: '',
  ul: '',
  var: '',
  video: 'src poster width height controls preload loop muted aria-label',
  wbr: '',
};

/** Elements of MathML Core, without those that contain HTML or URLs. */
export const MATH_TAGS = (
  'mfrac mi mn mo mover mpadded mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder ' +
  'munderover'
).split(' ');

/** Element -> its replacement. */
export const REPLACEMENTS: Readonly<Record<string, string>> = {
  acronym: 'abbr',
  center: 'div',
  dialog: 'div',
  dir: 'ul',
  fieldset: 'div',
  footer: 'div',
  form: 'div',
  h1: 'h2',
  header: 'div',
  image: 'img',
  label: 'span',
  legend: 'div',
  listing: 'pre',
  main: 'div',
  menu: 'ul',
  meter: 'data',
  output: 'span',
  plaintext: 'pre',
  progress: 'data',
  search: 'div',
  strike: 's',
  tt: 'code',
  xmp: 'pre',
};

/** Replaced elements -> description of the replacement. */
const CHANGED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(REPLACEMENTS).map(([name, by]) => [name, `\`${by}\``])),
  area: 'a link',
  embed: 'a link to its source',
  frame: 'a link to its source',
  iframe: 'a link to its source',
  input: '☑ or ☐ for a checkbox, otherwise nothing',
  picture: 'its `img`',
};

/** Elements that are replaced by their content. */
const UNWRAPPED = (
  'applet basefont big blink body button canvas font frameset head html map marquee multicol nobr noscript object ' +
  'rb rtc slot spacer'
).split(' ');

/** Elements without readable content, or whose content can't be shown safely. */
const DROPPED = (
  'base bgsound datalist isindex keygen link menuitem meta nextid noembed noframes optgroup option param script ' +
  'select selectedcontent style svg template textarea title'
).split(' ');

/** All elements of the HTML standard, including obsolete ones. Unknown elements are replaced by their content. */
export const ELEMENTS: Readonly<Record<string, ElementRule>> = Object.fromEntries<ElementRule>([
  ...Object.entries(KEPT).map(([name, attributes]): [string, ElementRule] => [
    name,
    { fate: 'kept', attributes: attributes === '' ? [] : attributes.split(' ') },
  ]),
  ...Object.entries(CHANGED).map(([name, by]): [string, ElementRule] => [name, { fate: 'changed', by }]),
  ...UNWRAPPED.map((name): [string, ElementRule] => [name, { fate: 'changed', by: 'its content' }]),
  ...DROPPED.map((name): [string, ElementRule] => [name, { fate: 'dropped' }]),
]);

/** Elements without content. */
export const VOID_TAGS: ReadonlySet<string> = new Set(
  (
    'area base basefont bgsound br col embed frame hr image img input isindex keygen link meta nextid param source ' +
    'spacer track wbr'
  ).split(' '),
);

/** Inline elements: a word may continue after their end. */
export const INLINE_TAGS: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark math meter nobr output ' +
    'progress q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var wbr'
  ).split(' '),
);
