import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { findLighthouseFaults, launchChrome } from './find-lighthouse-faults.ts';
import { samplePages, type PageKindName } from './page-kinds.ts';
import { listHtmlPages } from './list-html-pages.ts';

const samples = samplePages(await listHtmlPages(`${inject('projectFolder')}/dist`), 'de-de');
const KINDS: PageKindName[] = [
  'product',
  'home',
  'family',
  'article',
  'norm',
  'downloads',
  'episode',
  'podcast',
  'search',
];
/** Searches, so that the page has results. */
const QUERIES: Partial<Record<PageKindName, string>> = { search: '?q=Klebeband' };

let chrome: Awaited<ReturnType<typeof launchChrome>>;
beforeAll(async () => {
  chrome = await launchChrome();
  // The first visit of a cold browser isn't scored.
  if (process.env['SORTIMENT_SOAK']) await findLighthouseFaults(chrome, addressOf('product'));
});
afterAll(() => chrome.kill());

// Scores vary: the best of three counts. All kinds in a soak; axe always checks all of them.
it.each(process.env['SORTIMENT_SOAK'] ? KINDS : KINDS.filter((kind) => ['product', 'episode'].includes(kind)))(
  'the %s page scores 100 in Lighthouse',
  { retry: 2 },
  async (kind) => expect(await findLighthouseFaults(chrome, addressOf(kind))).toEqual([]),
);

function addressOf(kind: PageKindName): string {
  return `${inject('siteUrl')}${samples[kind] ?? `/no-${kind}-page/`}${QUERIES[kind] ?? ''}`;
}
