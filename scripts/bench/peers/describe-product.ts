import { alternates } from '#catalogue/addresses/alternates.ts';
import { digitalLink } from '#catalogue/addresses/site-paths.ts';
import { calculatorPath, familyPath, homePath, normPath, productPath } from '#catalogue/addresses/paths.ts';
import { drawCodes } from '#catalogue/codes/draw-codes.ts';
import { familyTools } from '#catalogue/facets/comparable-families.ts';
import { serializeJsonLd } from '#catalogue/json-ld/site-json-ld.ts';
import { productJsonLd } from '#catalogue/json-ld/product-json-ld.ts';
import { pageHead } from '#catalogue/seo/head.ts';
import { normSlug } from '#catalogue/norms/norm-base.ts';
import { normText } from '#catalogue/norms/norm-text.ts';
import { PREVIEW_SIZE } from '#catalogue/images/preview-card.ts';
import { productDimensions } from '#catalogue/products/key-values.ts';
import { productChoices } from '#catalogue/products/listed-product.ts';
import { createPriceView, type PriceView } from '#catalogue/products/price.ts';
import { productCrumbs } from '#catalogue/products/product-view.ts';
import { imperialMeasure, isImperial } from '#catalogue/quantities/measure.ts';
import { countUnits, materialNeed } from '#catalogue/quantities/material-need.ts';
import { sitePreview } from '#components/preview-cards.ts';
import { needTable } from '#components/product/need-table.ts';
import type { Options } from '#config/index.ts';
import { toBcp47, type Availability } from '#contracts/product/index.ts';
import type { Ui } from '#i18n/index.ts';
import type { ProductEntry } from '#model/entries.ts';
import type { ProductFacts } from './product-facts.ts';
import type { LocalSite } from './read-local-site.ts';
import type { NeighbouredProduct } from './read-products.ts';

/** The signs that our page draws, which stand in its component. */
const AVAILABILITY_SHAPES: Record<Availability, string> = {
  available: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm3.2 4.2L7 9.4 4.9 7.3 3.7 8.5 7 11.8l5.4-5.4z',
  limited: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 1.6v10.8A5.4 5.4 0 0 0 8 2.6Z',
  not_available: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 1.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6ZM4.5 7.2h7v1.6h-7z',
  unknown: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 1.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6Z',
};

const TEXTS = ['application', 'advantages', 'substrate', 'limiting_factors'] as const;

/** @param address The site's public one. */
export function describeProduct(
  site: LocalSite,
  { ui, options, address }: { ui: Ui; options: Options; address: URL },
  { product, related, showsFolded }: NeighbouredProduct,
): ProductFacts {
  const { t, formats, language } = ui;
  const path = productPath(language, product.slug);
  const family = product.family === undefined ? undefined : site.family(product.family, language);
  const price = createPriceView(product, options.price, language);
  const ways = familyTools({ product, family, related });
  const crumbs = productCrumbs({ product, family }, { home: t('nav.home'), products: t('nav.products') });
  const choices = productChoices(site.languages, product);
  const { dimensions, packaging } = productDimensions(product);
  const linked = { path, site: address, maker: options.maker.name, price, family: family?.name };
  const description = product.intro || product.application_short;
  const graph = [productJsonLd(product, { ...linked, label: (field) => t(`field.${field}`) })];
  const head = pageHead(
    { kind: 'product', path, title: product.name, description, crumbs, graph },
    {
      name: options.site.name,
      origin: address,
      language,
      lang: ui.lang,
      home: homePath(language),
      separator: options.seo.separator,
      templates: {},
      page: String,
      verification: {},
      links: [],
    },
  );
  return {
    language,
    path,
    url: new URL(path, address).href,
    name: product.name,
    description,
    robots: head.robots.join(', '),
    alternates: alternates(choices, { mainLanguage: site.mainLanguage, site: address }).map(
      ({ hreflang: lang, href: url }) => ({ lang, url }),
    ),
    locales: product.translations.filter((code) => code !== language).map((code) => toBcp47(code).replace('-', '_')),
    preview: {
      url: new URL(sitePreview(language, options.site, site.mainLanguage)?.path ?? '', address).href,
      ...PREVIEW_SIZE,
    },
    markdown: `${path}index.html.md`,
    nodes: [serializeJsonLd(head.graph)],
    choices: choices.map(({ code, name, path, current }) => ({ name, path, lang: toBcp47(code), current })),
    crumbs: crumbs.slice(0, -1),
    ...(family && { family: { name: family.name, path: familyPath(language, family.id) } }),
    intro: product.intro,
    item: product.item_number,
    gtin: product.gtin,
    unit: product.trade_unit,
    availability: {
      state: product.availability,
      shape: AVAILABILITY_SHAPES[product.availability],
      text: t(`availability.${product.availability}`),
      note: t(`availability.${product.availability}.note`, { date: formats.shortDate(product.changed) }),
    },
    ...describePrice(price, ui, product.trade_unit),
    texts: TEXTS.flatMap((field) =>
      product[field] === '' ? [] : [{ field, title: t(`field.${field}`), html: product[field] }],
    ),
    attributes: product.attributes.map(({ name, norm, value }) => {
      const slug = normSlug(norm);
      return { name, norm, path: slug && normPath(language, slug), value };
    }),
    norms: describeNorms(site, product, language),
    dimensions: [
      ...dimensions.map(({ field, measure }) => ({
        name: t(`field.${field}`),
        value: formats.measure(measure.text, measure.unit),
        imperial: describeImperial(isImperial(options.imperial, language) && imperialMeasure(measure), ui),
      })),
      ...(dimensions.length > 0 && showsFolded && product.folded !== undefined
        ? [{ name: t('field.folded'), value: product.folded ? t('yes') : t('no'), imperial: '' }]
        : []),
    ],
    packaging: packaging.map(({ field, unit, quantity }) => ({
      name: t(`field.${field}`),
      unit,
      holds: quantity ? countUnits(Number(quantity), ui.unit(product.trade_unit, product.language), formats) : '',
    })),
    ...describeNeed(product, ui),
    codes: describeCodes(product.gtin, digitalLink(product.gtin, address), ui),
    materials: product.materials.map(({ name, value }) => ({ name, value })),
    changed: { day: product.changed.toISOString().slice(0, 10), text: formats.date(product.changed) },
    ...(related.length > 0 && {
      related: {
        title: t('product.related', { family: family?.name ?? '' }),
        products: related.map(({ name, slug, item }) => ({ name, path: productPath(language, slug), item })),
        ...(ways && { ways }),
      },
    }),
  };
}

function describeNorms(site: LocalSite, { attributes }: ProductEntry, language: string): ProductFacts['norms'] {
  const norms = new Map(attributes.map(({ norm }) => [normSlug(norm), norm]));
  return [...norms].flatMap(([slug, norm]) => {
    const text = normText(site, slug, language);
    return text ? [{ norm, line: text.line, lang: text.lang ?? '' }] : [];
  });
}

function describeImperial(measure: ReturnType<typeof imperialMeasure> | false, { formats }: Ui): string {
  return measure ? ` (${formats.measure(measure.text, measure.unit)})` : '';
}

function describeNeed(product: ProductEntry, ui: Ui): Pick<ProductFacts, 'need'> {
  const need = materialNeed(product, {});
  if (!need || product.family === undefined) return {};
  const { heads, rows, note } = needTable(need, product, ui);
  return {
    need: {
      heads,
      rows: rows.map(([head, ...cells]) => ({ head: head?.text ?? '', cells: cells.map(({ text }) => text) })),
      note,
      calculator: `${calculatorPath(ui.language, product.family)}?p=${product.gtin}`,
    },
  };
}

function describeCodes(gtin: string, link: string, { t }: Ui): ProductFacts['codes'] {
  const { ean, qr } = drawCodes(gtin, link);
  return {
    ean: {
      ...ean,
      label: t('codes.barcode', { gtin }),
      first: gtin.slice(0, 1),
      left: gtin.slice(1, 7),
      right: gtin.slice(7),
    },
    qr: { ...qr, label: t('codes.link', { url: link }) },
  };
}

function describePrice(price: PriceView, { t, formats }: Ui, unit: string): Pick<ProductFacts, 'price'> {
  if (price.kind === 'hidden') return {};
  if (price.kind === 'on-request') return { price: { amount: '', terms: t('price.on_request'), unit: '' } };
  const { unitPrice } = price;
  const tax = price.tax === 'net' ? t('price.net') : t('price.gross', { vat: formats.percent(price.vat ?? 0) });
  return {
    price: {
      amount: formats.euro(price.amount),
      terms: unit ? `${t('price.per', { unit })} ${tax}` : tax,
      unit: unitPrice ? t('price.unit', { price: formats.euro(unitPrice.amount), unit: unitPrice.unit }) : '',
    },
  };
}
