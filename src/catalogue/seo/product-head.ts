import type { Availability } from '#contracts/product/index.ts';
import type { ProductEntry } from '#model/entries.ts';
import type { OverlayData } from '../products/merge-overlays.ts';
import type { PriceView } from '../products/price.ts';
import type { PageTexts } from './head-texts.ts';

/** Returns the data for the title and description of a product page. */
export function productTexts(
  product: Pick<ProductEntry, 'name' | 'gtin' | 'intro' | 'application_short' | 'item_number'>,
  { seo, maker, family }: { seo: OverlayData['seo']; maker: string; family: string | undefined },
): PageTexts {
  const { name, gtin, intro, application_short, item_number } = product;
  return {
    kind: 'product',
    title: name,
    description: intro || application_short,
    variables: { category: family, sku: item_number || gtin, gtin, brand: maker },
    templates: seo,
  };
}

/** Returns the Open Graph properties of a product. The price is included only if the page shows one. */
export function productProperties(
  product: Pick<ProductEntry, 'gtin' | 'availability' | 'archived'>,
  { price, maker, family }: { price: PriceView; maker: string; family: string | undefined },
): [property: string, content: string][] {
  const availability = product.archived ? 'discontinued' : SHARED_AVAILABILITY[product.availability];
  return [
    ['product:retailer_item_id', product.gtin],
    ['product:brand', maker],
    ...(family ? ([['product:category', family]] satisfies [string, string][]) : []),
    ['product:condition', 'new'],
    ...(availability ? ([['product:availability', availability]] satisfies [string, string][]) : []),
    ...(price.kind === 'amount' && !product.archived
      ? ([
          ['product:price:amount', price.amount],
          ['product:price:currency', 'EUR'],
        ] satisfies [string, string][])
      : []),
  ];
}

/** Availability values of social networks. */
const SHARED_AVAILABILITY: Partial<Record<Availability, string>> = {
  available: 'in stock',
  limited: 'in stock',
  not_available: 'out of stock',
};
