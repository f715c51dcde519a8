/** What a page says of itself to machines. */
export interface PageHead {
  /** Absolute address, as `<link rel="canonical">` gives it. */
  canonical: string | undefined;
  /** True when search engines are asked to leave it out. */
  noindex: boolean;
  /** `hreflang` -> absolute address, itself included. */
  alternates: { lang: string; url: string }[];
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&#38;': '&', '&quot;': '"', '&#34;': '"', '&#39;': "'" };

/** Reads the tags in the head of a built page. */
export function readHead(html: string): PageHead {
  const end = html.indexOf('</head>');
  const head = end < 0 ? html : html.slice(0, end);
  const links = readTags(head, 'link');
  const robots = readTags(head, 'meta').find(({ name }) => name === 'robots')?.['content'] ?? '';
  return {
    canonical: links.find(({ rel }) => rel === 'canonical')?.['href'],
    noindex: /\b(noindex|none)\b/i.test(robots),
    alternates: links.flatMap(({ rel, hreflang, href }) =>
      rel === 'alternate' && hreflang && href ? { lang: hreflang, url: href } : [],
    ),
  };
}

function readTags(html: string, name: string): Record<string, string>[] {
  const tags = html.match(new RegExp(`<${name}\\s[^>]*>`, 'g')) ?? [];
  return tags.map((tag) =>
    Object.fromEntries(
      [...tag.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)].map(
        ([, attribute = '', double, single, bare]) => [attribute, decode(double ?? single ?? bare ?? '')],
      ),
    ),
  );
}

function decode(text: string): string {
  return text.replace(/&(?:amp|quot|#3[489]);/g, (entity) => ENTITIES[entity] ?? entity);
}
