import { Parser } from 'htmlparser2';

/** Machine-readable data of a built page. */
export interface ParsedPage {
  /** Path relative to the site's URL. */
  path: string;
  lang: string | undefined;
  title: string;
  h1: string[];
  canonicals: string[];
  noindex: boolean;
  /** `hreflang` with absolute URLs. */
  alternates: [hreflang: string, url: string][];
  /** Contents of `<meta>` by property or name. */
  metas: Map<string, string[]>;
  /** Nodes of linked data. */
  nodes: Record<string, unknown>[];
  /** Number of scripts. */
  scripts: number;
}

export function parsePage(path: string, html: string): ParsedPage {
  const page: ParsedPage = {
    path,
    lang: undefined,
    title: '',
    h1: [],
    canonicals: [],
    noindex: false,
    alternates: [],
    metas: new Map(),
    nodes: [],
    scripts: 0,
  };
  let text: string | undefined;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const { rel, href = '', hreflang, content = '', type } = attributes;
      if (name === 'html') page.lang = attributes['lang'];
      if (name === 'link' && rel === 'canonical') page.canonicals.push(href);
      if (name === 'link' && rel === 'alternate' && hreflang !== undefined) page.alternates.push([hreflang, href]);
      if (name === 'meta') {
        const key = attributes['property'] ?? attributes['name'] ?? '';
        page.metas.set(key, [...(page.metas.get(key) ?? []), content]);
      }
      if (name === 'script' && (type === undefined || type === 'module')) page.scripts += 1;
      if (name === 'h1' || name === 'title' || (name === 'script' && type === 'application/ld+json')) text = '';
    },
    ontext: (piece) => {
      if (text !== undefined) text += piece;
    },
    onclosetag: (name) => {
      if (text === undefined || (name !== 'h1' && name !== 'title' && name !== 'script')) return;
      if (name === 'h1') page.h1.push(text.replace(/\s+/g, ' ').trim());
      else if (name === 'title') page.title ||= text;
      else page.nodes.push(...nodesIn(JSON.parse(text) as Record<string, unknown>));
      text = undefined;
    },
  });
  parser.end(html);
  page.noindex = page.metas.get('robots')?.some((content) => /\bnoindex\b/.test(content)) ?? false;
  return page;
}

/** Returns the nodes of a block of linked data. */
function nodesIn(block: Record<string, unknown>): Record<string, unknown>[] {
  const graph = block['@graph'];
  return Array.isArray(graph) ? (graph as Record<string, unknown>[]) : [block];
}
