/** What a kind of page may weigh, compressed as hosts do. */
export interface PageKind {
  /** Of its path. A page is of the first kind that fits. */
  pattern: RegExp;
  /** Stands for all of its kind where only one is looked at; else the first does. */
  sample?: RegExp;
  /** Of an episode without its transcript. */
  htmlBytes: number;
  /** Scripts that the page loads by itself; what they load when they are used doesn't count. */
  scriptBytes: number;
}

const KB = 1024;
const PAGE = { htmlBytes: 10 * KB, scriptBytes: 0 };
const LIST = { htmlBytes: 20 * KB, scriptBytes: 0 };
const ENHANCED_PAGE = { htmlBytes: 10 * KB, scriptBytes: 10 * KB };
/** The player has its own budget. */
const PLAYER_PAGE = { htmlBytes: 10 * KB, scriptBytes: 12 * KB };
const ENHANCED_LIST = { htmlBytes: 20 * KB, scriptBytes: 10 * KB };

/** Every kind of page that the catalogue has. The last takes what is no other. */
export const PAGE_KINDS = {
  'language-chooser': { ...PAGE, pattern: /^\/$/ },
  'not-found': { ...PAGE, pattern: /^\/404\.html$/ },
  'digital-link': { ...PAGE, pattern: /^\/01\/\d{14}\/$/ },
  home: { ...PAGE, pattern: /^\/[^/]+\/$/ },
  products: { ...LIST, pattern: /^\/[^/]+\/products\/$/ },
  compare: { ...ENHANCED_LIST, pattern: /^\/[^/]+\/(products\/[^/]+\/)?compare\/$/ },
  calculator: { ...ENHANCED_PAGE, pattern: /^\/[^/]+\/products\/[^/]+\/calculator\/$/ },
  'family-norm': { ...LIST, pattern: /^\/[^/]+\/products\/[^/]+\/norms\// },
  family: { ...ENHANCED_LIST, pattern: /^\/[^/]+\/products\/[^/]+\/(page\/\d+\/)?$/, sample: /tapes|bander/ },
  facet: { ...ENHANCED_LIST, pattern: /^\/[^/]+\/products\/[^/]+\/./ },
  product: { ...PAGE, pattern: /^\/[^/]+\/p\/[^/]+\/$/, sample: /9524010000016\/$/ },
  search: { ...PAGE, scriptBytes: 20 * KB, pattern: /^\/[^/]+\/search\/$/ },
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

export function kindOf(page: string): PageKindName {
  return ENTRIES.find(([, { pattern }]) => pattern.test(page))?.[0] ?? 'page';
}

/** One page for each kind that there is, of those whose path begins with `/<language>/` or belongs to no language. */
export function samplePages(pages: readonly string[], language: string): Partial<Record<PageKindName, string>> {
  const spoken = pages.filter((page) => page.startsWith(`/${language}/`) || !/^\/[a-z]{2}-[a-z]{2}\//.test(page));
  const byKind = Map.groupBy(spoken, kindOf);
  return Object.fromEntries(
    ENTRIES.flatMap(([name, { sample }]) => {
      const group = byKind.get(name) ?? [];
      const found = group.find((page) => sample?.test(page)) ?? group[0];
      return found === undefined ? [] : [[name, found]];
    }),
  );
}
