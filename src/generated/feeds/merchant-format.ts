import { shorten } from '#catalogue/languages/shorten.ts';
import type { Availability } from '#contracts/product/index.ts';
import { classifyGtin, findSpans } from '#contracts/index.ts';
import { escapeXml } from '#contracts/html/html-text.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import type { FeedFormat } from './feed-format.ts';

export interface MerchantChannel {
  title: string;
  link: string;
  description: string;
  brand: string;
}

/** Items require an availability, so `unknown` is missing. */
const AVAILABILITY: Partial<Record<Availability, string>> = {
  available: 'in_stock',
  limited: 'in_stock',
  not_available: 'out_of_stock',
};

const MAX_TITLE = 150;
const MAX_DESCRIPTION = 5000;
const MAX_DETAILS = 100;

/** Unit names of the product data specification, by UN/CEFACT code. */
const UNITS: Record<string, string> = { MTR: 'm', MTK: 'sqm', MTQ: 'cbm', KGM: 'kg', LTR: 'l' };

/**
 * Format of Google Merchant Center: RSS 2.0 with the namespace `g` (product data specification, help article 7052112),
 * which other shopping services accept too. Products are excluded without a price, image, known availability, or text
 * in the language of the feed.
 */
export function merchantFormat(language: string, channel: MerchantChannel): FeedFormat {
  const head = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
${element('title', channel.title)}
${element('link', channel.link)}
${element('description', channel.description)}
`;
  return {
    compose: (products) =>
      new Map(
        products
          .filter((product) => product.language === language && product.image !== '')
          .flatMap((product) => {
            const item = composeItem(product, channel.brand);
            return item === undefined ? [] : [[product.gtin, item]];
          }),
      ),
    split: (file) =>
      new Map(
        findSpans(file, ITEM, ITEM_END).map(({ opening, start, end }) => [opening[1] ?? '', file.slice(start, end)]),
      ),
    files: [{ extension: 'xml', join: (items) => `${head}${items.join('')}</channel>\n</rss>\n` }],
  };
}

/** Escaped texts can't contain these tags. */
const ITEM = /<item>\n<g:id>(\d+)<\/g:id>/;
const ITEM_END = /<\/item>\n/;

function composeItem(product: FeedProduct, brand: string): string | undefined {
  const availability = AVAILABILITY[product.availability];
  if (product.price === null || availability === undefined) return undefined;
  const description = product.intro || product.application_short || product.erp_description || product.name;
  // Google rejects demonstration numbers and company-internal numbers.
  const gtin = classifyGtin(product.gtin) === 'regular' ? product.gtin : '';
  const lines = [
    element('g:id', product.gtin),
    element('g:title', shorten(product.name, MAX_TITLE)),
    element('g:description', shorten(description, MAX_DESCRIPTION)),
    element('g:link', product.url),
    element('g:image_link', product.image_1600),
    element('g:availability', availability),
    element('g:price', `${product.price} EUR`),
    element('g:condition', 'new'),
    element('g:brand', brand),
    element('g:gtin', gtin),
    element('g:mpn', product.item_number),
    element('g:product_type', product.family_name),
    element('g:item_group_id', product.variant_group),
    ...unitPricing(product),
    ...product.attributes
      // Google requires both.
      .filter(({ name, value }) => name.trim() !== '' && value.trim() !== '')
      .slice(0, MAX_DETAILS)
      .map(
        ({ name, norm, value }) =>
          `<g:product_detail>${element('g:section_name', norm)}${element('g:attribute_name', name)}${element(
            'g:attribute_value',
            value,
          )}</g:product_detail>`,
      ),
  ];
  return `<item>\n${lines.filter((line) => line !== '').join('\n')}\n</item>\n`;
}

function unitPricing({ unit_price_unit: code, unit_price_measure: measure }: FeedProduct): string[] {
  const unit = UNITS[code];
  if (unit === undefined || measure === '') return [];
  return [element('g:unit_pricing_measure', `${measure} ${unit}`), element('g:unit_pricing_base_measure', `1 ${unit}`)];
}

function element(name: string, text: string): string {
  return text === '' ? '' : `<${name}>${escapeXml(text)}</${name}>`;
}
