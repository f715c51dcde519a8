import type { ListedProduct } from '#catalogue/products/product-view.ts';
import { isDrawable, previewPath, SITE_PREVIEW, type PreviewCard } from '#catalogue/images/image-variants.ts';
import { shorten } from '#catalogue/languages/fold-text.ts';
import { cacheByText } from '#catalogue/cache.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import { createFormats } from '#i18n/index.ts';
import type config from 'virtual:sortiment/options';
import { formatDimensions } from './product/document-details.ts';

export interface Preview {
  /** Root-relative. */
  path: string;
  card: PreviewCard;
}

type PreviewOptions = Pick<typeof config, 'site' | 'brand' | 'mainLanguage'>;

/**
 * Returns the preview card of a product for shared links; undefined if it can't be rendered.
 *
 * @param family Name of its family.
 */
export function productPreview(
  product: ListedProduct,
  family: string | undefined,
  options: PreviewOptions,
): Preview | undefined {
  const { pageLanguage, gtin, name, item_number, imageAsset } = product;
  // A card with no image would look like the site's card.
  if (!imageAsset) return undefined;
  const line = [item_number, formatDimensions(product, formatsOf(pageLanguage))].filter(Boolean).join(' · ');
  const { digest: picture } = imageAsset;
  return toPreview(pageLanguage, gtin, options, { overline: family ?? '', title: name, line, picture });
}

const sitePreviews = new WeakMap<PreviewOptions, Map<string, Preview | undefined>>();

/** Returns the preview card of all other pages. */
export function sitePreview(language: string, options: PreviewOptions): Preview | undefined {
  const cached = sitePreviews.get(options) ?? new Map<string, Preview | undefined>();
  sitePreviews.set(options, cached);
  if (!cached.has(language)) {
    const { name, description } = options.site;
    const line = pickLocalized(description, language, options.mainLanguage) ?? '';
    cached.set(language, toPreview(language, SITE_PREVIEW, options, { overline: '', title: name, line }));
  }
  return cached.get(language);
}

/** Longer than the three lines of the card; laying out a much longer text takes minutes. */
const MAX_CHARACTERS = 240;

const cut = (text: string): string => shorten(text, MAX_CHARACTERS);

function toPreview(
  language: string,
  subject: string,
  { site, brand }: PreviewOptions,
  { overline, title, line, picture }: Omit<PreviewCard, 'site' | 'accent' | 'font'>,
): Preview | undefined {
  const texts = { site: cut(site.name), overline: cut(overline), title: cut(title), line: cut(line) };
  const card = { ...texts, picture, accent: brand.accent.light, ...(brand.font && { font: brand.font.files }) };
  return isDrawable(card) ? { path: previewPath(language, subject, card), card } : undefined;
}

/** Formatters are expensive, and many products share a language. */
const formatsOf = cacheByText((language) => createFormats(toBcp47(language)));
