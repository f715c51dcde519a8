import { createFinding, scoreByBand, type Finding } from '../advice/index.ts';
import type { ParsedText } from '../parse-input.ts';
import type { AnalysisSubject, AnalysedLink } from '../types.ts';
import { titleWidthPx } from '../text/pixel-width.ts';

/** Search results cut off wider titles. */
export const MAX_TITLE_WIDTH_PX = 600;
export const MIN_DESCRIPTION_LENGTH = 121;
/** Search results cut off longer descriptions. In characters. */
export const MAX_SHOWN_DESCRIPTION_LENGTH = 156;

/** Checks the title and description that search results show. */
export function checkHead({ input }: ParsedText): Finding[] {
  return [checkTitleWidth(input.title), checkDescriptionLength(input.description, input.isCornerstone ?? false)];
}

function checkTitleWidth(title: string): Finding {
  const found = titleWidthPx(title.trim());
  const values = { found, most: MAX_TITLE_WIDTH_PX, characters: [...title.trim()].length };
  if (found === 0) return createFinding('titleWidth', 'none', 1, values);
  return found <= MAX_TITLE_WIDTH_PX
    ? createFinding('titleWidth', 'good', 9, values)
    : createFinding('titleWidth', 'wide', 3, values);
}

function checkDescriptionLength(description: string, isCornerstone: boolean): Finding {
  const found = [...description.trim()].length;
  const values = { found, least: MIN_DESCRIPTION_LENGTH, most: MAX_SHOWN_DESCRIPTION_LENGTH };
  const less = isCornerstone ? 3 : 6;
  if (found === 0) return createFinding('descriptionLength', 'none', 1, values);
  if (found < MIN_DESCRIPTION_LENGTH) return createFinding('descriptionLength', 'short', less, values);
  if (found > MAX_SHOWN_DESCRIPTION_LENGTH) return createFinding('descriptionLength', 'long', less, values);
  return createFinding('descriptionLength', 'good', 9, values);
}

/** Checks the content independently of the keyphrase: length, images, links and headings. */
export function checkContent(paper: ParsedText): Finding[] {
  const { kind } = paper.input;
  const { internal, outbound } = sortLinks(paper);
  return [
    checkTextLength(paper),
    // Term descriptions are short texts above a list and need no images or links.
    ...(kind === 'term' ? [] : [checkImages(paper), checkLinks('internalLinks', internal)]),
    // A product page needs no outbound links.
    ...(kind === 'term' || kind === 'product' ? [] : [checkLinks('outboundLinks', outbound)]),
    checkSingleH1(paper),
    ...(kind === 'product' ? checkProduct(paper) : []),
  ];
}

type Bands = readonly (readonly [least: number, score: number])[];

const ARTICLE: Bands = [
  [300, 9],
  [250, 6],
  [200, 3],
  [100, -10],
  [0, -20],
];

const TEXT_LENGTHS: Readonly<Record<AnalysisSubject, Bands>> = {
  post: ARTICLE,
  page: ARTICLE,
  product: [
    [200, 9],
    [150, 6],
    [100, 3],
    [50, -10],
    [0, -20],
  ],
  term: [
    [30, 9],
    [10, 6],
    [1, 3],
    [0, -20],
  ],
};

/** A cornerstone article should be three times as long. */
const CORNERSTONE: Bands = ARTICLE.map(([least, score]) => [least * 3, score]);

function checkTextLength({ input, words: found }: ParsedText): Finding {
  const isLong = input.isCornerstone === true && (input.kind === 'post' || input.kind === 'page');
  const bands = isLong ? CORNERSTONE : TEXT_LENGTHS[input.kind];
  const least = bands[0]?.[0] ?? 0;
  return createFinding('textLength', found >= least ? 'good' : 'short', scoreByBand(found, bands), { found, least });
}

function checkImages({ images }: ParsedText): Finding {
  const found = images.length;
  return found > 0 ? createFinding('images', 'good', 9, { found }) : createFinding('images', 'none', 3);
}

function checkLinks(id: 'internalLinks' | 'outboundLinks', links: readonly AnalysedLink[]): Finding {
  const found = links.length;
  const followed = links.filter(({ isFollowed }) => isFollowed).length;
  if (found === 0) return createFinding(id, 'none', 3);
  if (followed === found) return createFinding(id, 'good', 9, { found });
  return followed > 0
    ? createFinding(id, 'mixed', 8, { found: found - followed, all: found })
    : createFinding(id, 'nofollow', 7, { found });
}

/** Sorts links into internal and outbound. Fragments, `mailto:` and `tel:` are neither. */
function sortLinks({ links, input }: ParsedText): { internal: AnalysedLink[]; outbound: AnalysedLink[] } {
  const page = input.address !== undefined && URL.canParse(input.address) ? new URL(input.address) : undefined;
  const base = page ?? new URL('http://site.invalid/');
  const internal: AnalysedLink[] = [];
  const outbound: AnalysedLink[] = [];
  for (const link of links) {
    if (link.href.startsWith('#') || !URL.canParse(link.href, base)) continue;
    const url = new URL(link.href, base);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') continue;
    if (url.host !== base.host) outbound.push(link);
    else if (!page || url.pathname !== page.pathname) internal.push(link);
  }
  return { internal, outbound };
}

function checkSingleH1({ blocks }: ParsedText): Finding {
  const found = blocks.filter(({ level }) => level === 1).length;
  return found <= 1 ? createFinding('singleH1', 'good', 8) : createFinding('singleH1', 'many', 1, { found });
}

function checkProduct({ input, images }: ParsedText): Finding[] {
  const found = images.filter(({ alt }) => alt.trim() === '').length;
  const all = images.length;
  const alts =
    found === 0
      ? createFinding('altTexts', 'good', 9, { all })
      : createFinding('altTexts', 'missing', 3, { found, all });
  return [
    input.gtin ? createFinding('gtin', 'good', 9) : createFinding('gtin', 'none', 6),
    input.sku ? createFinding('sku', 'good', 9) : createFinding('sku', 'none', 6),
    ...(all === 0 ? [] : [alts]),
  ];
}
