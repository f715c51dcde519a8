/** Size budget of a kind of page, compressed. */
export interface PageKind {
  /** Pattern of its path. The first matching kind applies. */
  pattern: RegExp;
  /** Path of the sample page of this kind; the first page by default. */
  sample?: RegExp;
  /** Excludes the transcript of an episode. */
  htmlBytes: number;
  cssBytes: number;
  /** Scripts loaded with the page; scripts loaded on demand are excluded. */
  scriptBytes: number;
}

const KB = 1024;
const SHEET = { cssBytes: 11 * KB };
const PAGE = { ...SHEET, htmlBytes: 10 * KB, scriptBytes: 0 };
const LIST = { ...SHEET, htmlBytes: 20 * KB, scriptBytes: 0 };
const ENHANCED_PAGE = { ...SHEET, htmlBytes: 10 * KB, scriptBytes: 10 * KB };
/** The player has its own budget. */
const PLAYER_PAGE = { cssBytes: 13 * KB, htmlBytes: 10 * KB, scriptBytes: 12 * KB };
const ENHANCED_LIST = { ...SHEET, htmlBytes: 20 * KB, scriptBytes: 10 * KB };

/** All kinds of pages. The last one is the fallback. */
export const PAGE_KINDS = {
  'language-chooser': { ...PAGE, pattern: /^\/$/ },
  'not-found': { ...PAGE, pattern: /^(\/[^/]+\/404\/|\/404\.html)$/ },
  'digital-link': { ...PAGE, pattern: /^\/01\/\d{14}\/$/ },
  home: { ...PAGE, pattern: /^\/[^/]+\/$/ },
  products: { ...ENHANCED_LIST, pattern: /^\/[^/]+\/products\/$/ },
  compare: { ...ENHANCED_LIST, pattern: /^\/[^/]+\/(products\/[^/]+\/)?compare\/$/ },
  calculator: { ...ENHANCED_PAGE, pattern: /^\/[^/]+\/products\/[^/]+\/calculator\/$/ },
  'family-norm': { ...LIST, pattern: /^\/[^/]+\/products\/[^/]+\/norms\// },
  family: { ...ENHANCED_LIST, pattern: /^\/[^/]+\/products\/[^/]+\/(page\/\d+\/)?$/, sample: /tapes|bander/ },
  facet: { ...ENHANCED_LIST, pattern: /^\/[^/]+\/products\/[^/]+\/./ },
  product: { ...PAGE, pattern: /^\/[^/]+\/p\/[^/]+\/$/, sample: /9524010000016\/$/ },
  search: { ...PAGE, scriptBytes: 20 * KB, pattern: /^\/[^/]+\/search\/$/ },
  shortlist: { ...ENHANCED_LIST, pattern: /^\/[^/]+\/list\/$/ },
  directory: { ...LIST, pattern: /^\/[^/]+\/search\/./ },
  norms: { ...LIST, pattern: /^\/[^/]+\/norms\/$/ },
  norm: { ...LIST, pattern: /^\/[^/]+\/norms\/./ },
  downloads: { ...ENHANCED_LIST, pattern: /^\/[^/]+\/downloads\// },
  journal: { ...LIST, pattern: /^\/[^/]+\/journal\/(page\/\d+\/)?$/ },
  archive: { ...LIST, pattern: /^\/[^/]+\/journal\/(category|tag|author|month)\// },
  article: { ...PAGE, pattern: /^\/[^/]+\/journal\/./, sample: /table|kaelte|cold|froid/ },
  podcast: { ...LIST, pattern: /^\/[^/]+\/podcast\/(page\/\d+\/)?$/ },
  'episode-embed': { ...PLAYER_PAGE, pattern: /^\/[^/]+\/podcast\/[^/]+\/embed\/$/ },
  episode: { ...PLAYER_PAGE, pattern: /^\/[^/]+\/podcast\/./ },
  page: { ...PAGE, pattern: /^\/./, sample: /company|unternehmen|entreprise/ },
} satisfies Record<string, PageKind>;

export type PageKindName = keyof typeof PAGE_KINDS;

const ENTRIES = Object.entries(PAGE_KINDS) as [PageKindName, PageKind][];

export function findPageKind(page: string): PageKindName {
  return ENTRIES.find(([, { pattern }]) => pattern.test(page))?.[0] ?? 'page';
}

/** Returns a page of each existing kind, from the pages of a language and those without one. */
export function samplePages(pages: readonly string[], language: string): Partial<Record<PageKindName, string>> {
  const spoken = pages.filter((page) => page.startsWith(`/${language}/`) || !/^\/[a-z]{2}-[a-z]{2}\//.test(page));
  const byKind = Map.groupBy(spoken, findPageKind);
  return Object.fromEntries(
    ENTRIES.flatMap(([name, { sample }]) => {
      const group = byKind.get(name) ?? [];
      const found = group.find((page) => sample?.test(page)) ?? group[0];
      return found === undefined ? [] : [[name, found]];
    }),
  );
}
