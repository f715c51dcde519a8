import { SITE_PREVIEW, type PreviewCard } from '../../catalogue/preview-card.ts';
import { localized } from '../../catalogue/localized.ts';
import { productPreview, sitePreview } from '../../components/preview-cards.ts';
import type { Options } from '../../config/index.ts';
import type { Listing } from '../../loaders/index.ts';
import type { SnapshotReader } from '../../snapshot/index.ts';
import type { PreviewPlace } from './preview-place.ts';

/**
 * What a page has asked to be drawn: its path names a product, and by its digest what was to be shown.
 * @returns Undefined when that is no longer what there is to show.
 */
export function findCard(
  { path, language, subject }: PreviewPlace,
  { site, mainLanguage }: Pick<Options, 'site' | 'mainLanguage'>,
  { listing, snapshot }: { listing: Listing; snapshot: Pick<SnapshotReader, 'families'> },
): PreviewCard | undefined {
  const find = () => {
    if (subject === SITE_PREVIEW) return sitePreview(language, site, mainLanguage);
    const product = listing.product(language, subject);
    return product && productPreview(product, familyName(product.family, language), site.name);
  };
  const familyName = (id: string | undefined, of: string): string | undefined => {
    const family = snapshot.families().find((known) => known.id === id);
    const isShown = family && listing.shelves(of).some(({ shelf }) => shelf === id);
    return isShown ? (localized(family.names, of, mainLanguage) ?? id) : undefined;
  };
  const found = find();
  return found?.path === path ? found.card : undefined;
}
