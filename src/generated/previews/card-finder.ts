import { placeOf } from '#catalogue/addresses/base.ts';
import { SITE_PREVIEW, type PreviewCard } from '#catalogue/pictures/preview-card.ts';
import { localized } from '#contracts/localized.ts';
import { productPreview, sitePreview } from '#components/preview-cards.ts';
import type { Options } from '#config/index.ts';
import type { Listing } from '#product-index/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { PreviewPlace } from './preview-place.ts';

/**
 * Finds what a page has asked to be drawn: its path names a product, and by its digest what was to be shown. Make it
 * once for many.
 * @returns Finds undefined when that is no longer what there is to show.
 */
export function cardFinder(
  { site, mainLanguage }: Pick<Options, 'site' | 'mainLanguage'>,
  { listing, snapshot }: { listing: Listing; snapshot: Pick<SnapshotReader, 'families'> },
): (place: PreviewPlace) => PreviewCard | undefined {
  const families = new Map(snapshot.families().map(({ id, names }) => [id, names]));
  const shelves = new Map<string, ReadonlySet<string>>();
  const shelvesOf = (language: string): ReadonlySet<string> => {
    const known = shelves.get(language) ?? new Set(listing.shelves(language).map(({ shelf }) => shelf));
    shelves.set(language, known);
    return known;
  };
  const familyName = (id: string, language: string): string | undefined => {
    const names = families.get(id);
    return names && shelvesOf(language).has(id) ? (localized(names, language, mainLanguage) ?? id) : undefined;
  };
  const find = ({ language, subject }: PreviewPlace) => {
    if (subject === SITE_PREVIEW) return sitePreview(language, site, mainLanguage);
    const product = listing.product(language, subject);
    return product && productPreview(product, familyName(product.family ?? '', language), site.name);
  };
  return (place) => {
    const found = find(place);
    return found && placeOf(found.path) === place.path ? found.card : undefined;
  };
}
