import { localized } from '../../../catalogue/languages/localized.ts';
import type { OutputContext } from '../output.ts';
import type { FeedProductOptions } from './compose-feed-product.ts';

/** How products are put in the feeds of a language. */
export function feedProductOptions({ settings, snapshot }: OutputContext, language: string): FeedProductOptions {
  const { price, mainLanguage } = settings.options;
  const names = new Map(
    snapshot.families().map(({ id, names: byLanguage }) => [id, localized(byLanguage, language, mainLanguage)]),
  );
  return { site: new URL(settings.siteUrl), price, familyName: (family) => names.get(family) ?? family };
}
