import sanitizeHtml from 'sanitize-html';

/** What a text becomes whose shortcodes the site has turned into HTML. */
export interface ConvertedText {
  /** The text as one HTML block, or as it was where no shortcode was turned into anything. */
  raw: string;
  /** Shortcodes that are HTML now, by name. */
  converted: string[];
  /** Shortcodes that the site itself shows as text, by name: it does not know them (any more). */
  unknown: string[];
  /** Elements of the converted HTML that no static page can run, by name. */
  inert: string[];
}

/** Shortcodes that every publishing site knows. Others look like one when they have a value or an end. */
const BUILT_IN = new Set(['audio', 'caption', 'embed', 'gallery', 'playlist', 'video', 'wp_caption']);
const SHORTCODE = /(\[?)\[([a-z][\w-]{0,63})(?=[\s/\]])([^[\]<>]{0,2000})\]/gi;
const CLOSING = /\[\/([a-z][\w-]{0,63})\]/gi;
const INERT = ['form', 'iframe', 'object', 'script'];

/** Whether a text holds something that may be a shortcode. */
export function holdsShortcode(raw: string): boolean {
  return readShortcodes(raw).some(({ isLikely }) => isLikely);
}

/**
 * Takes what a site renders in place of a text whose shortcodes nobody else can run. A shortcode was run when it is
 * no longer among the words of the page.
 */
export function convertShortcodes({ raw, rendered }: { raw: string; rendered: string }): ConvertedText {
  const written = readShortcodes(raw);
  const shown = countNames(readShortcodes(rendered.replaceAll(/&#(?:0*91|x0*5b);/gi, '[')));
  const counts = countNames(written);
  const likely = [...new Set(written.filter(({ isLikely }) => isLikely).map(({ name }) => name))];
  const wasRun = (name: string): boolean => (shown.get(name) ?? 0) < (counts.get(name) ?? 0);
  const converted = rendered.trim() === '' ? [] : likely.filter(wasRun);
  const unknown = likely.filter((name) => !converted.includes(name));
  if (converted.length === 0) return { raw, converted, unknown, inert: [] };
  const inert = INERT.filter((name) => rendered.toLowerCase().includes(`<${name}`));
  return { raw: `<!-- wp:html -->\n${cleanRendered(rendered)}\n<!-- /wp:html -->`, converted, unknown, inert };
}

interface Shortcode {
  name: string;
  /** Written in two brackets, it is shown in one and not run. */
  isEscaped: boolean;
  isLikely: boolean;
}

function readShortcodes(text: string): Shortcode[] {
  const found = [...text.matchAll(SHORTCODE)];
  const closed = new Set(Array.from(text.matchAll(CLOSING), ([, name = '']) => name.toLowerCase()));
  return found.map(([, bracket = '', written = '', values = '']) => {
    const name = written.toLowerCase();
    const isEscaped = bracket !== '';
    const isLikely = !isEscaped && (BUILT_IN.has(name) || /=/.test(values) || closed.has(name));
    return { name, isEscaped, isLikely };
  });
}

function countNames(shortcodes: readonly Shortcode[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of shortcodes) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Without scripts, comments, numbers that differ from answer to answer, and sizes that the origin works out itself. */
function cleanRendered(rendered: string): string {
  const html = sanitizeHtml(rendered, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    exclusiveFilter: ({ tag }) => tag === 'script' || tag === 'style',
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: keepAttributes(attribs) }),
    },
  });
  return html.trim();
}

const WORKED_OUT = new Set(['srcset', 'sizes', 'loading', 'decoding', 'fetchpriority']);
const NUMBERED = /^(?:gallery|audio|video|playlist)-[\d-]+$/;

function keepAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(attributes).filter(
    ([name, value]) => !WORKED_OUT.has(name) && !name.startsWith('on') && !(name === 'id' && NUMBERED.test(value)),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'src' ? value.replace(/[?&]_=\d+$/, '') : value]),
  );
}
