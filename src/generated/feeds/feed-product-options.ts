import { pickLocalized } from '#contracts/localized.ts';
import { hazardLines } from '#contracts/hazard-lines.ts';
import type { GeneratorContext } from '../generator.ts';
import type { FeedProductOptions } from './compose-feed-product.ts';

/** Returns the options for feed records in a language. */
export function feedProductOptions(
  { settings, snapshot, productIndex, overlays, ui }: GeneratorContext,
  language: string,
): FeedProductOptions {
  const { price, mainLanguage } = settings.options;
  const names = new Map(
    snapshot.families().map(({ id, names: byLanguage }) => [id, pickLocalized(byLanguage, language, mainLanguage)]),
  );
  return {
    site: new URL(settings.siteUrl),
    price,
    familyName: (family) => names.get(family) ?? family,
    additions: (gtin) => overlays.additions(language, gtin),
    variantGroup: (gtin) => {
      const offered = overlays.variants(gtin).filter((variant) => productIndex.product(language, variant));
      return offered.length > 1 ? offered[0] : undefined;
    },
    hazards: (hazard) => {
      const { t, lang } = ui(language);
      return [
        ...hazardLines(hazard, lang.toLowerCase(), mainLanguage),
        ...(hazard.diisocyanates ? [{ code: '', text: t('hazard.diisocyanates') }] : []),
      ];
    },
  };
}
