import { stripBasePath } from '#catalogue/addresses/site-paths.ts';
import { SITE_PREVIEW, type PreviewCard } from '#catalogue/images/image-variants.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { productPreview, sitePreview } from '#components/preview-cards.ts';
import type { Options } from '#config/index.ts';
import type { ProductIndex } from '#catalogue/port/product-index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/**
 * Creates a function that finds the card of a preview path. The path contains the product and a digest of the card.
 * Create it once for many paths.
 * @returns Returns undefined if the card has changed.
 */
export function cardFinder(
  { site, mainLanguage }: Pick<Options, 'site' | 'mainLanguage'>,
  { productIndex, snapshot }: { productIndex: ProductIndex; snapshot: Pick<SnapshotReader, 'families'> },
): (address: PreviewPath) => PreviewCard | undefined {
  const families = new Map(snapshot.families().map(({ id, names }) => [id, names]));
  const productGroups = new Map<string, ReadonlySet<string>>();
  const groupsOf = (language: string): ReadonlySet<string> => {
    const known =
      productGroups.get(language) ??
      new Set(productIndex.productGroups(language).map(({ productGroup }) => productGroup));
    productGroups.set(language, known);
    return known;
  };
  const familyName = (id: string, language: string): string | undefined => {
    const names = families.get(id);
    return names && groupsOf(language).has(id) ? (pickLocalized(names, language, mainLanguage) ?? id) : undefined;
  };
  const findPreview = ({ language, subject }: PreviewPath) => {
    if (subject === SITE_PREVIEW) return sitePreview(language, site, mainLanguage);
    const product = productIndex.product(language, subject);
    return product && productPreview(product, familyName(product.family ?? '', language), site.name);
  };
  return (address) => {
    const found = findPreview(address);
    return found && stripBasePath(found.path) === address.path ? found.card : undefined;
  };
}

/** Data in the path of a preview, `/_images/preview/de-de/9524010000016-0123456789abcdef.jpg`. */
export interface PreviewPath {
  path: string;
  language: string;
  /** A GTIN, or `site`. */
  subject: string;
}

const PREVIEW_PATH = /^\/_images\/preview\/([a-z0-9-]+)\/(\d{13}|site)-[0-9a-f]{16}\.jpg$/;

/** Parses the path of a preview. Undefined for other paths. */
export function parsePreviewPath(path: string): PreviewPath | undefined {
  const [, language, subject] = PREVIEW_PATH.exec(path) ?? [];
  return language === undefined || subject === undefined ? undefined : { path, language, subject };
}
