const ANYWHERE = ['b', 'code', 'em', 'i', 'kbd', 'mark', 's', 'small', 'strong', 'sub', 'sup', 'u'];
const BLOCKS = ['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'pre', 'blockquote', 'table'];
/** Where blocks may stand without closing what they are in; the empty name is the text itself. */
const AROUND_BLOCKS = ['', 'li', 'dd', 'td', 'th', 'blockquote'];

/** Element -> where it may stand; undefined for anywhere. */
const PLACES: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map([
  ...ANYWHERE.map((name) => [name, undefined] as const),
  ...BLOCKS.map((name) => [name, new Set(AROUND_BLOCKS)] as const),
  ['li', new Set(['ul', 'ol'])],
  ['dt', new Set(['dl'])],
  ['dd', new Set(['dl'])],
  ['thead', new Set(['table'])],
  ['tbody', new Set(['table'])],
  ['tr', new Set(['thead', 'tbody'])],
  ['th', new Set(['tr'])],
  ['td', new Set(['tr'])],
]);

/** Far less deep than the sanitiser goes. */
const MAX_DEPTH = 32;

/** Tags without attributes, entities that stay as they are, and everything else that would have to be looked at. */
const MARKUP = /<(\/?)([a-z][a-z0-9]{0,9})>|<br \/>|&(?:amp|lt|gt);|[<>&]/g;

/**
 * Whether HTML is only text and a few elements without attributes, each closed where it should be: the sanitiser would
 * give it back byte by byte, and takes thirty times as long to find out. What isn't recognised is sanitised.
 */
export function isPlainHtml(html: string): boolean {
  const open: string[] = [];
  MARKUP.lastIndex = 0;
  for (let found = MARKUP.exec(html); found; found = MARKUP.exec(html)) {
    const [source, slash, name] = found;
    if (name === undefined) {
      if (source.length === 1) return false;
    } else if (slash) {
      if (open.pop() !== name) return false;
    } else {
      if (!PLACES.has(name) || open.length >= MAX_DEPTH) return false;
      if (PLACES.get(name)?.has(open.at(-1) ?? '') === false) return false;
      open.push(name);
    }
  }
  return open.length === 0;
}
