import { analyseText } from '#analysis/analyse-text.ts';
import { MAX_SHOWN_DESCRIPTION_LENGTH, MAX_TITLE_WIDTH_PX } from '#analysis/checks/head-checks.ts';
import { titleWidthPx } from '#analysis/text/pixel-width.ts';
import { productSlug } from '#catalogue/addresses/slugs.ts';
import { headTexts, localizeTemplates, type SiteTexts, productTexts } from '#catalogue/seo/head-texts.ts';
import type { Settings } from '#config/index.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { product as productContract, type ProductRecord } from '#contracts/product/index.ts';
import { SCORE_BOUNDS } from '#contracts/seo/scores.ts';
import { createProductOverlays } from '#generated/overlays.ts';
import { languageCodes } from '#product-index/with-snapshot.ts';
import { readOverlays } from '#projection/read-overlays.ts';
import type { SnapshotReader, StoredProduct } from '#snapshot/index.ts';

/** Problems with the heads of product pages in search results, as formatted lines. */
export interface ProductHeadProblems {
  /** Number of checked pages. */
  pages: number;
  /** Products without text for a description. */
  undescribed: string[];
  /** Pages of a language with the same title. */
  sameTitles: string[];
  /** Titles and descriptions that search results truncate. */
  overlong: string[];
  /** Products with a keyphrase and a bad score, with advice. */
  badScores: string[];
}

/** Checks every product in each of its languages. Analyses only those with a keyphrase. */
export function checkProductHeads(
  { root, siteUrl, options }: Pick<Settings, 'root' | 'siteUrl' | 'options'>,
  snapshot: Pick<SnapshotReader, 'products' | 'families' | 'languages'>,
): ProductHeadProblems {
  const { additions, isHidden } = createProductOverlays(() => readOverlays(root));
  const languages = new Set(languageCodes(snapshot, options));
  const families = new Map(snapshot.families().map(({ id, names }) => [id, names]));
  const sites = new Map([...languages].map((language) => [language, siteTexts(options, language)]));
  const titles = new Map<string, string[]>();
  const found: ProductHeadProblems = { pages: 0, undescribed: [], sameTitles: [], overlong: [], badScores: [] };
  for (const stored of snapshot.products()) {
    const { gtin, language, record } = stored;
    const site = sites.get(language);
    const isFallback = record.language !== language;
    if (!site || isFallback || isHidden(language, gtin)) continue;
    found.pages += 1;
    const { seo } = additions(language, gtin);
    const names = families.get(stored.family ?? '');
    const family = names && pickLocalized(names, language, options.mainLanguage);
    const texts = productTexts(productContract.parse(record), { seo, maker: options.maker.name, family });
    const { title, description = '' } = headTexts(texts, site);
    const label = `${gtin} ${language} "${record.name}"`;
    const key = `${language} ${title}`;
    const sameTitle = titles.get(key);
    if (sameTitle) sameTitle.push(label);
    else titles.set(key, [label]);
    // The text that follows a template's own text may be truncated.
    const ownDescription = seo?.description ?? site.templates.product?.description;
    const shown = ownDescription === undefined ? (texts.description ?? '') : description;
    if (shown === '') found.undescribed.push(label);
    const width = titleWidthPx(title);
    if (width > MAX_TITLE_WIDTH_PX)
      found.overlong.push(`${label}: title of ${width} px, ${MAX_TITLE_WIDTH_PX} are shown`);
    if (shown.length > MAX_SHOWN_DESCRIPTION_LENGTH)
      found.overlong.push(
        `${label}: description of ${shown.length} characters, ${MAX_SHOWN_DESCRIPTION_LENGTH} are shown`,
      );
    if (seo?.keyphrase === undefined) continue;
    const address = `${siteUrl}/`;
    const bad = analyse(stored, { title, description, keyphrase: seo.keyphrase, address });
    if (bad) found.badScores.push(`${label}: ${bad}`);
  }
  for (const labels of titles.values()) if (labels.length > 1) found.sameTitles.push(labels.join(', '));
  return found;
}

/** Returns the head texts that pages of a language share. */
export function siteTexts({ site, seo }: Settings['options'], language: string): SiteTexts {
  const { name, description } = site;
  const { separator, templates } = seo;
  return {
    name,
    lang: language,
    description: description[language],
    separator,
    templates: localizeTemplates(language, templates),
    page: String,
  };
}

const TEXTS = ['application', 'advantages', 'substrate', 'limiting_factors'] as const satisfies (keyof ProductRecord)[];

/** @returns The score with advice; undefined if it is good. */
function analyse(
  { gtin, language, record }: StoredProduct,
  head: { title: string; description: string; keyphrase: string; address: string },
): string | undefined {
  const { name, intro, item_number } = record;
  const { seo, results } = analyseText({
    ...head,
    kind: 'product',
    language,
    adviceLanguage: 'en',
    slug: productSlug(name, gtin),
    html: [`<p>${intro ?? ''}</p>`, ...TEXTS.map((field) => record[field] ?? '')].join('\n'),
    images: record.image ? [{ alt: name }] : [],
    gtin,
    sku: item_number ?? '',
  });
  if (seo >= SCORE_BOUNDS.good[0]) return undefined;
  const advice = results
    .filter(({ area, rating }) => area === 'seo' && rating === 'bad')
    .map((result) => result.advice);
  return [`score ${seo} of 100 for "${head.keyphrase}"`, ...advice].join('; ');
}
