import { absoluteUrl } from '#catalogue/addresses/site-paths.ts';
import { digitalLink } from '#catalogue/addresses/shop-paths.ts';
import { shopImages, pictureSources } from '#catalogue/images/image-variants.ts';
import { productPath } from '#catalogue/addresses/paths.ts';
import type { OverlayData } from '#catalogue/products/listed-product.ts';
import { createPriceView } from '#catalogue/products/price.ts';
import { declaredIn, valueName } from '#catalogue/products/product-fields.ts';
import { formatFieldValue } from '#components/product/field-texts.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { isDocumentField } from '#contracts/product/document-kinds.ts';
import type { Decimal, DocumentField } from '#contracts/product/index.ts';
import type { ProductEntry } from '#catalogue/entries/entries.ts';
import type { Options } from '#config/index.ts';
import type { FieldValue } from '#contracts/product/product-fields.ts';
import { pickLocalized, pickText } from '#contracts/localized.ts';
import { hazardLines } from '#contracts/hazard.ts';
import type { Ui } from '#i18n/index.ts';
import type { GeneratorContext } from '../generator.ts';

export type FeedProductOptions = ReturnType<typeof feedProductOptions>;

/** Creates the feed record of a product, with prices and URLs as on the site. */
export function composeFeedProduct(
  product: ProductEntry,
  { site, price, familyName, additions, variantGroup, fields, hazards }: FeedProductOptions,
): FeedProduct {
  const { content, hazard } = additions(product.gtin);
  const shown = createPriceView(product, price, product.pageLanguage, content);
  const amount = shown.kind === 'amount' ? shown : undefined;
  const addressOf = (path: string | undefined) => (path === undefined ? '' : absoluteUrl(path, site));
  const documentOf = (documentField: DocumentField) =>
    addressOf(product.documents.find(({ field }) => field === documentField)?.href);
  const { imageAsset, bannerAsset, family = '' } = product;
  const [image300, image800, image1600] = imageAsset ? shopImages(imageAsset) : [];
  return {
    gtin: product.gtin,
    language: product.language,
    item_number: product.item_number,
    name: product.name,
    family,
    family_name: family === '' ? '' : familyName(family),
    url: addressOf(productPath(product.pageLanguage, product.slug)),
    digital_link: digitalLink(product.gtin, site),
    changed: product.changed.toISOString(),
    availability: product.availability,
    price: amount?.amount ?? null,
    price_tax: amount?.tax ?? null,
    unit_price: amount?.unitPrice?.amount ?? null,
    unit_price_unit: amount?.unitPrice?.unitCode ?? '',
    length: numberOf(product.length),
    width: numberOf(product.width),
    height: numberOf(product.height),
    area: numberOf(product.area),
    joint: numberOf(product.joint),
    weight: numberOf(product.weight),
    folded: product.folded ?? null,
    trade_unit: product.trade_unit,
    packaging_unit: product.packaging_unit,
    packaging_unit_quantity: numberOf(product.packaging_unit_quantity),
    bundle_unit: product.bundle_unit,
    bundle_unit_quantity: numberOf(product.bundle_unit_quantity),
    erp_description: product.erp_description,
    erp_description_short: product.erp_description_short,
    intro: product.intro,
    application: product.application,
    application_short: product.application_short,
    advantages: product.advantages,
    substrate: product.substrate,
    limiting_factors: product.limiting_factors,
    datasheet: documentOf('datasheet'),
    safety_datasheet: documentOf('safety_datasheet'),
    declaration_of_performance: documentOf('declaration_of_performance'),
    image: addressOf(imageAsset && pictureSources(imageAsset, 'product').src),
    banner: addressOf(bannerAsset && pictureSources(bannerAsset, 'banner').src),
    image_300: addressOf(image300?.path),
    image_800: addressOf(image800?.path),
    image_1600: addressOf(image1600?.path),
    attributes: product.attributes.map(({ name, norm, value }) => ({ name, norm, value })),
    materials: product.materials.map(({ name, value }) => ({ name, value })),
    unit_price_measure: amount?.unitPrice?.measure ?? '',
    variant_group: variantGroup(product.gtin) ?? '',
    hazard_signal: hazard?.signal ?? '',
    hazard_pictograms: hazard?.pictograms ?? [],
    hazard_statements: hazard ? hazards(hazard) : [],
    price_currency: amount?.currency ?? null,
    documents: product.documents
      .filter(({ field }) => !isDocumentField(field))
      .map(({ field: kind, href, mimeType, bytes = null }) => ({
        kind,
        url: addressOf(href),
        media_type: mimeType,
        bytes,
      })),
    ...(fields.length > 0 && {
      fields: Object.fromEntries(fields.map((field) => [field, toFeedField(product.fields[field])])),
    }),
  };
}

function toFeedField(value: FieldValue | undefined) {
  return typeof value === 'object' && 'text' in value ? value.value : (value ?? null);
}

/** Returns the names of the fields of `product.fields` that feeds have. */
export function feedFieldNames({ product }: Pick<Options, 'product'>): string[] {
  return declaredIn(product.fields, 'feeds').map(([name]) => name);
}

/** Returns the fields of `product.fields` that feeds have, with their names and texts in a language. */
export function feedFieldTexts({ product, mainLanguage }: Options, language: string, ui: Ui) {
  return declaredIn(product.fields, 'feeds').map(([field, options]) => {
    const { type, label, unit, values } = options;
    return {
      field,
      name: pickText(label, language, mainLanguage) ?? field,
      unit,
      /** True if the texts are in the language of the record. */
      isFreeText: values === undefined && (type === 'text' || type === 'list'),
      textsOf: ({ fields }: FeedProduct, shownUnit = ''): string[] =>
        [fields?.[field] ?? []].flat().map((value) => {
          const text = String(value);
          return (
            valueName(options, text, language, mainLanguage) ?? formatFieldValue({ type, unit: shownUnit }, text, ui)
          );
        }),
    };
  });
}

function numberOf(decimal: Decimal | undefined): number | null {
  return decimal?.value ?? null;
}

/**
 * Returns a function that composes the feed record of a product, once for all formats. Undefined for products that the
 * feed of the language doesn't list.
 */
export function feedProductReader(
  context: GeneratorContext,
  language: string,
): (gtin: string) => FeedProduct | undefined {
  const { productIndex, readProduct, overlays } = context;
  const options = feedProductOptions(context, language);
  const composed = new Map<string, FeedProduct>();
  return (gtin) => {
    const listed = composed.has(gtin) ? undefined : productIndex.product(language, gtin);
    if (listed && !listed.archived && !overlays.isHidden(language, gtin))
      composed.set(gtin, composeFeedProduct(readProduct(listed), options));
    return composed.get(gtin);
  };
}

/** Returns the options for feed records in a language. */
export function feedProductOptions(
  { settings, snapshot, productIndex, overlays, ui }: GeneratorContext,
  language: string,
) {
  const { price, mainLanguage } = settings.options;
  const names = new Map(
    snapshot.families().map(({ id, names: byLanguage }) => [id, pickLocalized(byLanguage, language, mainLanguage)]),
  );
  return {
    site: new URL(settings.siteUrl),
    price,
    fields: feedFieldNames(settings.options),
    /** Returns the name of a family in the language of the feed. */
    familyName: (family: string) => names.get(family) ?? family,
    additions: (gtin: string) => overlays.additions(language, gtin),
    /** Returns the GTIN of a product's first current format. Undefined if it is the only one. */
    variantGroup: (gtin: string) => {
      const offered = overlays.variants(gtin).filter((variant) => productIndex.product(language, variant));
      return offered.length > 1 ? offered[0] : undefined;
    },
    hazards: (hazard: NonNullable<OverlayData['hazard']>) => {
      const { t, lang } = ui(language);
      return [
        ...hazardLines(hazard, lang.toLowerCase(), mainLanguage),
        ...(hazard.diisocyanates ? [{ code: '', text: t('hazard.diisocyanates') }] : []),
      ];
    },
  };
}
