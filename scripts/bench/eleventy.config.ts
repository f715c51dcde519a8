import { readdirSync, readFileSync } from 'node:fs';
import { digitalLink } from '#catalogue/addresses/shop-paths.ts';
import { homePath, normPath, productPath } from '#catalogue/addresses/paths.ts';
import { productSlug } from '#catalogue/addresses/slugs.ts';
import { drawCodes } from '#catalogue/codes/draw-codes.ts';
import { linkedData, serializeLinkedData } from '#contracts/seo/linked-data.ts';
import { productJsonLd } from '#catalogue/seo/linked-data.ts';
import { labelLanguages } from '#catalogue/languages/label-languages.ts';
import { normSlug } from '#catalogue/norms/norm-groups.ts';
import { MAX_NEIGHBOURS, relatedProducts } from '#catalogue/read-model/product-index.ts';
import { productChoices } from '#catalogue/products/listed-product.ts';
import { createPriceView } from '#catalogue/products/price.ts';
import { productDimensions, productCrumbs } from '#catalogue/products/product-view.ts';
import { materialNeed } from '#catalogue/quantities/material-need.ts';
import { needTable } from '#components/product/need-table.ts';
import { resolveSettings } from '#config/index.ts';
import { escapeHtml } from '#contracts/html/html-text.ts';
import { DOCUMENT_FIELDS, TEXT_FIELDS } from '#contracts/product/index.ts';
import { createUi, isTypeset, typesetHtml } from '#i18n/index.ts';
import { productEntry, type ProductEntry } from '#catalogue/entries/entries.ts';
import { siteLanguages } from '#catalogue/read-model/with-snapshot.ts';
import { openSnapshot } from '#snapshot/index.ts';
import options from '#sortiment.config.ts';

const { siteUrl, snapshotPath } = resolveSettings(process.cwd(), options);
const site = new URL(siteUrl);
const snapshot = openSnapshot(snapshotPath, { readOnly: true });
const languages = labelLanguages(siteLanguages(snapshot, options));
const families = new Map(snapshot.families().map((family) => [family.id, family.names]));
const dictionaries = Object.fromEntries(
  readdirSync('content/strings').map((file) => {
    const strings: unknown = JSON.parse(readFileSync(`content/strings/${file}`, 'utf8'));
    return [file.replace('.json', ''), strings as Record<string, string>];
  }),
);

interface Page {
  path: string;
  render: () => string;
}

/** The used part of Eleventy's configuration, which has no types. */
interface EleventyConfig {
  addGlobalData(name: string, value: () => unknown): void;
  addTemplate(name: string, render: (data: { product: Page }) => string, data: object): void;
}

/** Renders product pages from the snapshot, with the facts of the pages of this project, but less text and markup. */
export default function configure(eleventy: EleventyConfig): void {
  eleventy.addGlobalData('pages', readPages);
  eleventy.addTemplate('product.11ty.js', ({ product }) => product.render(), {
    pagination: { data: 'pages', size: 1, alias: 'product', addAllPagesToCollections: false },
    permalink: ({ product }: { product: Page }) => `${product.path}index.html`,
    eleventyExcludeFromCollections: true,
  });
}

export const config = { templateFormats: ['11ty.js'] };

function readPages(): Page[] {
  const stored = [...snapshot.products()];
  const slugs: Record<string, Record<string, string>> = {};
  for (const { gtin, language, record } of stored) (slugs[gtin] ??= {})[language] = productSlug(record.name, gtin);
  const products = stored.map(({ gtin, language, record, family, position, changedAt: changed }) => {
    const own = {
      storedAs: language,
      pageLanguage: language,
      fallback: false,
      documents: [],
      family,
      position,
      changed,
    };
    const names = { translations: Object.keys(slugs[gtin] ?? {}), slug: slugs[gtin]?.[language], slugs: slugs[gtin] };
    return productEntry.parse({ ...record, ...own, ...names });
  });
  const groups = Map.groupBy(products, keyOf);
  return products.map((product) => ({
    path: pathOf(product),
    render: () => renderPage(product, relatedProducts(groups.get(keyOf(product)) ?? [], product.gtin, MAX_NEIGHBOURS)),
  }));
}

const keyOf = ({ pageLanguage, family }: ProductEntry): string => `${pageLanguage}/${family}`;
const pathOf = ({ pageLanguage, slug }: ProductEntry): string => productPath(pageLanguage, slug);

function renderPage(product: ProductEntry, related: readonly ProductEntry[]): string {
  const { pageLanguage: language, gtin, availability, attributes, materials } = product;
  const ui = createUi(dictionaries, language, options.mainLanguage);
  const { t, formats } = ui;
  const { name, address, email } = options.maker;
  const family = { id: product.family ?? '', name: families.get(product.family ?? '')?.[language.slice(0, 2)] ?? '' };
  const crumbs = productCrumbs({ product, family }, { home: t('nav.home'), products: t('nav.products') });
  const choices = productChoices(languages, product);
  const { dimensions, packaging } = productDimensions(product);
  const need = materialNeed(product, {});
  const needed = need && needTable(need, product, ui);
  const price = createPriceView(product, options.price, language);
  const linked = { path: pathOf(product), site, maker: name, price, family: family.name };
  const node = productJsonLd(product, { ...linked, label: ui.fieldLabel });
  const { ean, qr } = drawCodes(gtin, digitalLink(gtin, site));
  const url = new URL(pathOf(product), site).href;
  const sections: [title: string, rows: string[][]][] = [
    [t('field.gtin'), [[gtin, t('field.item_number'), product.item_number, t('field.trade_unit'), product.trade_unit]]],
    [
      t(`availability.${availability}`),
      [[t(`availability.${availability}.note`, { date: formats.shortDate(product.changed) })]],
    ],
    [price.kind === 'amount' ? formats.price(price.amount, price.currency) : t('price.on_request'), [[t('price.net')]]],
    [t('product.documents'), DOCUMENT_FIELDS.map((field) => [t(`field.${field}`), t(`document.missing.${field}`)])],
    [t('product.values'), attributes.map(({ name, value, norm }) => [name, value, norm || t('attribute.no_norm')])],
    [
      t('product.quantities'),
      dimensions.map(({ field, measure }) => [t(`field.${field}`), formats.measure(measure.text, measure.unit)]),
    ],
    [t('product.packaging'), packaging.map(({ field, unit, quantity = '' }) => [t(`field.${field}`), unit, quantity])],
    [t('need.title'), needed ? [needed.heads, ...needed.rows, [needed.note]] : []],
    [t('product.materials'), materials.map(({ name, value }) => [name, value])],
    [
      t('product.maker'),
      [
        [name, ...address, email],
        [url, t('product.as_of'), formats.date(product.changed)],
      ],
    ],
  ];
  const norms = attributes
    .filter(({ norm }) => norm)
    .map(({ norm }) => ({ name: norm, path: normPath(language, normSlug(norm)) }));
  const body = `<header><a href="#main">${escapeHtml(t('nav.skip'))}</a><nav>${links(crumbs)}</nav>${links(choices)}</header>
<main id="main"><h1>${escapeHtml(product.name)}</h1><p class="lead">${escapeHtml(product.intro)}</p>
${TEXT_FIELDS.map((field) => product[field] && section(t(`field.${field}`), product[field])).join('')}
${sections.map(([title, rows]) => (rows.length > 0 ? section(title, table(rows)) : '')).join('')}
${section(t('attribute.norm'), links(norms))}
<svg viewBox="${ean.box}"><path fill="#fff" d="${ean.ground}"></path><path stroke="#000" stroke-width="60" stroke-dasharray="${ean.path}" d="M0 30h95"></path></svg>
<svg viewBox="${qr.box}"><path fill="#fff" d="${qr.ground}"></path><path d="${qr.path}"></path></svg>
${section(t('product.related', { family: family.name }), links(related.map((other) => ({ name: other.name, path: pathOf(other) }))))}
</main><footer>${table([[name, ...address, email]])}${links(languages.map(({ code, name }) => ({ name, path: homePath(code) })))}</footer>`;
  return `<!doctype html><html lang="${ui.lang}" dir="${ui.dir}"><head><meta charset="utf-8"><title>${escapeHtml(product.name)}</title>
<meta name="description" content="${escapeHtml(product.intro)}"><link rel="canonical" href="${url}"><link rel="stylesheet" href="/site.css">
<script type="application/ld+json">${serializeLinkedData(linkedData([node]))}</script></head>
<body>${isTypeset(ui.lang) ? typesetHtml(body) : body}</body></html>`;
}

function section(title: string, html: string): string {
  return `<section><h2>${escapeHtml(title)}</h2>${html}</section>`;
}

function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`);
  return `<table class="facts">${lines.join('')}</table>`;
}

function links(items: readonly { name: string; path: string }[]): string {
  return `<ul>${items.map(({ name, path }) => `<li><a href="${path}">${escapeHtml(name)}</a></li>`).join('')}</ul>`;
}
