import sanitizeHtml from 'sanitize-html';

/** Result of replacing shortcodes by the HTML that the site renders for them. */
export interface ShortcodeConversion {
  /** The text as one HTML block, or unchanged if no shortcode was converted. */
  raw: string;
  /** Names of converted shortcodes. */
  converted: string[];
  /** Names of shortcodes that the site itself shows as text because it doesn't know them. */
  unknown: string[];
  /** Names of elements in the converted HTML that a static page can't run. */
  inert: string[];
}

/** Shortcodes of every publishing site. Other names are recognised only with a value or a closing tag. */
const BUILT_IN = new Set(['audio', 'caption', 'embed', 'gallery', 'playlist', 'video', 'wp_caption']);
const SHORTCODE = /(\[?)\[([a-z][\w-]{0,63})(?=[\s/\]])([^[\]<>]{0,2000})\]/gi;
const CLOSING = /\[\/([a-z][\w-]{0,63})\]/gi;
const INERT = ['form', 'iframe', 'object', 'script'];

/** True if the text may contain a shortcode. */
export function containsShortcode(raw: string): boolean {
  return readShortcodes(raw).some(({ isLikely }) => isLikely);
}

/**
 * Replaces a text by its rendered HTML if it contains shortcodes that only the source site can run. A shortcode counts
 * as converted if the rendered text no longer contains it.
 */
export function convertShortcodes({ raw, rendered }: { raw: string; rendered: string }): ShortcodeConversion {
  const written = readShortcodes(raw);
  const remaining = countNames(readShortcodes(rendered.replaceAll(/&#(?:0*91|x0*5b);/gi, '[')));
  const counts = countNames(written);
  const likely = [...new Set(written.filter(({ isLikely }) => isLikely).map(({ name }) => name))];
  const wasRun = (name: string): boolean => (remaining.get(name) ?? 0) < (counts.get(name) ?? 0);
  const converted = rendered.trim() === '' ? [] : likely.filter(wasRun);
  const unknown = likely.filter((name) => !converted.includes(name));
  if (converted.length === 0) return { raw, converted, unknown, inert: [] };
  const inert = INERT.filter((name) => rendered.toLowerCase().includes(`<${name}`));
  return { raw: `<!-- wp:html -->\n${cleanRendered(rendered)}\n<!-- /wp:html -->`, converted, unknown, inert };
}

interface Shortcode {
  name: string;
  /** Shortcodes in double brackets are shown in single brackets and not run. */
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

/** Removes scripts, comments, per-response IDs, and attributes that the origin computes itself. */
function cleanRendered(rendered: string): string {
  const html = sanitizeHtml(rendered, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    exclusiveFilter: ({ tag }) => tag === 'script' || tag === 'style',
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: filterAttributes(attribs) }),
    },
  });
  return html.trim();
}

const COMPUTED = new Set(['srcset', 'sizes', 'loading', 'decoding', 'fetchpriority']);
const NUMBERED = /^(?:gallery|audio|video|playlist)-[\d-]+$/;

function filterAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const stable = Object.entries(attributes).filter(
    ([name, value]) => !COMPUTED.has(name) && !name.startsWith('on') && !(name === 'id' && NUMBERED.test(value)),
  );
  return Object.fromEntries(
    stable.map(([name, value]) => [name, name === 'src' ? value.replace(/[?&]_=\d+$/, '') : value]),
  );
}
