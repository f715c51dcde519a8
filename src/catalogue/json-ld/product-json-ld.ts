import { classifyGtin } from '#contracts/index.ts';
import { toBcp47, getFieldUnit, type Availability, type DimensionField } from '#contracts/product/index.ts';
import type { DocumentAsset, ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import { absoluteUrl } from '../addresses/site-paths.ts';
import { digitalLink } from '../addresses/digital-link.ts';
import { type JsonLdNode, organizationReference } from './site-json-ld.ts';
import { productPath } from '../addresses/paths.ts';
import { pictureSources } from '../images/image-variants.ts';
import type { PriceView, UnitPrice } from '../products/price.ts';

export interface ProductJsonLdOptions {
  path: string;
  site: URL;
  maker: string;
  price: PriceView;
  family?: string | undefined;
  /** Formats of the product, including itself, and its accessories. */
  variants?: readonly LinkedProduct[];
  accessories?: readonly LinkedProduct[];
  /** Returns the name of a field in the language of the page. */
  label: (field: DimensionField | DocumentAsset['field']) => string;
}

type LinkedProduct = Pick<ProductListEntry, 'name' | 'gtin' | 'pageLanguage' | 'slug'>;

/** `unknown` has no equivalent. */
const AVAILABILITY: Partial<Record<Availability, string>> = {
  available: 'InStock',
  limited: 'LimitedAvailability',
  not_available: 'OutOfStock',
};

/**
 * Creates the node of a product. The `Offer` is included only if the page shows a price. Declared values stay texts
 * with their norm as the measurement method. schema.org has no length of a product, so length, area and joint are named
 * measurements.
 */
export function productJsonLd(product: ProductEntry, options: ProductJsonLdOptions): JsonLdNode {
  const { site, maker, label, family, variants = [], accessories = [] } = options;
  const url = absoluteUrl(options.path, site);
  const organization = organizationReference(maker, site);
  const measurements = (['length', 'area', 'joint'] as const).flatMap((field) =>
    namedQuantity(product, field, label(field)),
  );
  const documents = product.documents.map((document) => documentNode(document, label(document.field), site));
  return {
    '@type': 'Product',
    '@id': `${url}#product`,
    url,
    name: product.name,
    ...(product.intro && { description: product.intro }),
    ...(product.imageAsset && {
      image: [absoluteUrl(pictureSources(product.imageAsset, 'product').src, site)],
    }),
    ...gtinOf(product.gtin),
    ...(classifyGtin(product.gtin) !== 'restricted' && { hasGS1DigitalLink: digitalLink(product.gtin, site) }),
    ...(product.item_number && { sku: product.item_number, mpn: product.item_number }),
    brand: { '@type': 'Brand', name: maker },
    manufacturer: organization,
    ...(family && { category: family }),
    ...(product.materials.length > 0 && { material: product.materials.map(({ value }) => value) }),
    ...Object.fromEntries(
      (['width', 'height', 'weight'] as const).flatMap((field) =>
        quantity(product, field).map((node) => [field, node]),
      ),
    ),
    ...(measurements.length > 0 && { hasMeasurement: measurements }),
    ...(product.attributes.length > 0 && { additionalProperty: product.attributes.map(propertyValue) }),
    ...(documents.length > 0 && { subjectOf: documents }),
    ...(variants.length > 0 && { isVariantOf: productGroup(variants, site) }),
    ...(accessories.length > 0 && { isRelatedTo: accessories.map((accessory) => productReference(accessory, site)) }),
    ...offer(product, options.price, url, organization),
  };
}

function quantity(product: ProductEntry, field: DimensionField): JsonLdNode[] {
  const decimal = product[field];
  return decimal
    ? [{ '@type': 'QuantitativeValue', value: decimal.value, unitCode: getFieldUnit(field).unitCode }]
    : [];
}

function namedQuantity(product: ProductEntry, field: DimensionField, name: string): JsonLdNode[] {
  return quantity(product, field).map((node) => ({ ...node, name }));
}

function propertyValue({ name, norm, value }: ProductEntry['attributes'][number]): JsonLdNode {
  return { '@type': 'PropertyValue', name, value, ...(norm && { measurementMethod: norm }) };
}

function documentNode({ href, mimeType, language }: DocumentAsset, name: string, site: URL): JsonLdNode {
  return {
    '@type': 'DigitalDocument',
    name,
    url: absoluteUrl(href, site),
    encodingFormat: mimeType,
    inLanguage: toBcp47(language),
  };
}

/** Groups the formats of a product. The GTIN of the first identifies the group. */
function productGroup(variants: readonly LinkedProduct[], site: URL): JsonLdNode {
  const [first] = variants;
  return {
    '@type': 'ProductGroup',
    ...(first && { '@id': `${absoluteUrl(productPath(first.pageLanguage, first.slug), site)}#formats` }),
    name: sharedName(variants),
    productGroupID: first?.gtin,
    variesBy: ['https://schema.org/size'],
    hasVariant: variants.map((variant) => productReference(variant, site)),
  };
}

/** Returns the common prefix of the formats' names in whole words: `DIFFRANA Vario`. */
function sharedName(variants: readonly LinkedProduct[]): string {
  const [first = [], ...remaining] = variants.map(({ name }) => name.split(' '));
  const end = first.findIndex((word, i) => remaining.some((words) => words[i] !== word));
  return (end > 0 ? first.slice(0, end) : first).join(' ');
}

/** Returns the GTIN unless it is restricted to a shop or company. */
function gtinOf(gtin: string): JsonLdNode {
  return classifyGtin(gtin) === 'restricted' ? {} : { gtin13: gtin };
}

/** Creates a reference to a product, which its own page describes. */
export function productReference({ name, gtin, pageLanguage, slug }: LinkedProduct, site: URL): JsonLdNode {
  const url = absoluteUrl(productPath(pageLanguage, slug), site);
  return { '@type': 'Product', '@id': `${url}#product`, name, ...gtinOf(gtin), url };
}

/**
 * Creates the offer with the price specification that merchant listings require: the price of a trade unit, its
 * content, and the reference unit. Discontinued products have no offer.
 */
function offer(product: ProductEntry, price: PriceView, url: string, seller: JsonLdNode): JsonLdNode {
  if (product.archived || price.kind !== 'amount') return {};
  const availability = AVAILABILITY[product.availability];
  const { unitPrice } = price;
  return {
    offers: {
      '@type': 'Offer',
      url,
      price: price.amount,
      priceCurrency: 'EUR',
      itemCondition: 'https://schema.org/NewCondition',
      ...(availability && { availability: `https://schema.org/${availability}` }),
      seller,
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: price.amount,
        priceCurrency: 'EUR',
        valueAddedTaxIncluded: price.tax === 'gross',
        ...(unitPrice && { referenceQuantity: referenceQuantity(unitPrice) }),
      },
    },
  };
}

function referenceQuantity({ measure, unitCode }: UnitPrice): JsonLdNode {
  return {
    '@type': 'QuantitativeValue',
    value: measure,
    unitCode,
    valueReference: { '@type': 'QuantitativeValue', value: '1', unitCode },
  };
}
