import { findSpans, findTags, stripTags } from '#contracts/index.ts';

export interface PageDetails {
  title: string;
  /** Absolute URLs, or empty strings. */
  icon: string;
  description: string;
  image: string;
}

const MAX_TEXT = 500;

/** Parses title, icon, description and image from the head of a page. Texts contain no markup. */
export function parsePageHead(html: string, address: string): PageDetails {
  const [head = ''] = html.split(/<body[\s>]/i, 1);
  const metas = listTags(head, /<meta\b/i).map((tag) => ({
    names: [attribute(tag, 'name'), attribute(tag, 'property')],
    content: attribute(tag, 'content'),
  }));
  const getMeta = (name: string) => metas.find(({ names }) => names.includes(name))?.content ?? '';
  const icon = listTags(head, /<link\b/i).find((tag) => /(?:^|\s)icon(?:\s|$)/i.test(attribute(tag, 'rel')));
  return {
    title: text(findTitle(head)),
    icon: resolveUrl(attribute(icon ?? '', 'href'), address),
    description: text(getMeta('description') || getMeta('og:description')),
    image: resolveUrl(getMeta('og:image'), address),
  };
}

function listTags(html: string, opening: RegExp): string[] {
  return [...findTags(html, opening)].map(({ source }) => source);
}

function findTitle(head: string): string {
  const { value: opening } = findTags(head, /<title\b/i).next();
  if (!opening) return '';
  const { value: title } = findSpans(head.slice(opening.start), /^[^>]*>/, /<\/title>/i).next();
  return title?.inner ?? '';
}

function attribute(tag: string, name: string): string {
  const found = new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, 'i').exec(tag);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function text(raw: string): string {
  return stripTags(raw)
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      if (Number.isNaN(code)) return ENTITIES[String(name).toLowerCase()] ?? whole;
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}

/** Resolves an http or https URL. Returns an empty string for others. */
function resolveUrl(url: string, base: string): string {
  if (url === '' || !URL.canParse(url, base)) return '';
  const { protocol, href } = new URL(url, base);
  return /^https?:$/.test(protocol) ? href : '';
}
