import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { dataPath, downloadsPath, homePath, normsPath, productsPath, searchPath } from '#catalogue/addresses/paths.ts';
import { makerAddress } from '#catalogue/site/home-selection.ts';
import type { Options } from '#config/index.ts';
import { DOCUMENT_FIELDS, toBcp47 } from '#contracts/product/index.ts';
import { createUi, isTypeset, typesetHtml, type Ui } from '#i18n/index.ts';
import { typeset } from '#i18n/typeset.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { loadSettings } from '../../cli/load-settings.ts';
import { describeProduct } from './describe-product.ts';
import type { PageChrome, ProductFacts } from './product-facts.ts';
import { factFiles } from './read-facts.ts';
import { readLocalSite, type LocalSite } from './read-local-site.ts';
import { readProducts } from './read-products.ts';

/** A program: writes what the product pages of this project's snapshot show into a folder, for peers to read. */
const [, , folder = ''] = process.argv;
const { pageChromeFile, pathsFile, productsFile } = factFiles(folder);
mkdirSync(folder, { recursive: true });
const settings = await loadSettings();
const { options } = settings;
const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
const site = readLocalSite(settings, snapshot);
const uis = new Map(
  site.languages.map(({ code }) => [code, createUi(site.dictionaries, code, site.mainLanguage)] as const),
);
const pageChromes = [...uis].map(
  ([language, ui]) => [language, setPageChrome(describePageChrome(site, ui, options))] as const,
);
writeFileSync(pageChromeFile, JSON.stringify(Object.fromEntries(pageChromes)));

const address = new URL(settings.siteUrl);
const paths: string[] = [];
const lines = createWriteStream(productsFile);
for (const neighboured of readProducts(snapshot)) {
  const ui = uis.get(neighboured.product.pageLanguage);
  if (!ui) continue;
  const facts = setTexts(describeProduct(site, { ui, options, address }, neighboured), ui.lang);
  paths.push(facts.path);
  if (!lines.write(`${JSON.stringify(facts)}\n`)) await once(lines, 'drain');
}
snapshot.close();
writeFileSync(pathsFile, JSON.stringify(paths));
lines.end();
await once(lines, 'close');

/** The texts of a product as pages of its language set them. Declared values stay exactly what they are. */
function setTexts(facts: ProductFacts, lang: string): ProductFacts {
  if (!isTypeset(lang)) return facts;
  const { texts, attributes, norms, dimensions, packaging, need, materials, availability, price, related } = facts;
  return {
    ...facts,
    name: typeset(facts.name),
    intro: typeset(facts.intro),
    availability: { ...availability, text: typeset(availability.text), note: typeset(availability.note) },
    texts: texts.map(({ field, title, html }) => ({ field, title: typeset(title), html: typesetHtml(html) })),
    attributes: attributes.map((attribute) => ({ ...attribute, name: typeset(attribute.name) })),
    norms: norms.map((norm) => (norm.lang ? norm : { ...norm, line: typeset(norm.line) })),
    dimensions: dimensions.map((dimension) => ({ ...dimension, name: typeset(dimension.name) })),
    packaging: packaging.map(({ name, ...held }) => ({ ...held, name: typeset(name) })),
    materials: materials.map(({ name, value }) => ({ name: typeset(name), value: typeset(value) })),
    ...(price && { price: { ...price, terms: typeset(price.terms), unit: typeset(price.unit) } }),
    ...(need && {
      need: {
        ...need,
        heads: need.heads.map(typeset),
        rows: need.rows.map(({ head, cells }) => ({ head: typeset(head), cells: cells.map(typeset) })),
        note: typeset(need.note),
      },
    }),
    ...(related && { related: { ...related, title: typeset(related.title) } }),
  };
}

/** The same of what stands around all products. */
function setPageChrome(pageChrome: PageChrome): PageChrome {
  if (!isTypeset(pageChrome.lang)) return pageChrome;
  const documents = pageChrome.documents.map(({ name, missing }) => ({
    name: typeset(name),
    missing: typeset(missing),
  }));
  return { ...pageChrome, documents };
}

function describePageChrome(
  { languages, footer }: LocalSite,
  { t, ...ui }: Ui,
  { site, maker, shops }: Options,
): PageChrome {
  const { language, lang } = ui;
  return {
    language,
    lang,
    dir: ui.dir,
    locale: lang.replace('-', '_'),
    site: site.name,
    home: homePath(language),
    search: searchPath(language),
    words: {
      skip: t('nav.skip'),
      main: t('nav.main'),
      search: t('search.label'),
      searchhint: t('search.placeholder'),
      searchsubmit: t('search.submit'),
      language: t('language.label'),
      breadcrumb: t('nav.breadcrumb'),
      footer: t('nav.footer'),
      item: t('field.item_number'),
      gtin: t('field.gtin'),
      unit: t('field.trade_unit'),
      documents: t('product.documents'),
      values: t('product.values'),
      attribute: t('attribute.name'),
      value: t('attribute.value'),
      norm: t('attribute.norm'),
      nonorm: t('attribute.no_norm'),
      norms: t('attribute.norms'),
      formats: t('product.formats'),
      dimensions: t('product.dimensions'),
      packaging: t('product.packaging'),
      materials: t('product.materials'),
      maker: t('product.maker'),
      stated: t('product.as_of'),
      need: t('need.title'),
      calculator: t('calculator.link'),
      codes: t('codes.title'),
      compare: t('product.compare'),
      filter: t('product.filter'),
    },
    navigation: [{ name: t('nav.products'), path: productsPath(language) }],
    documents: DOCUMENT_FIELDS.map((field) => ({ name: t(`field.${field}`), missing: t(`document.missing.${field}`) })),
    maker: { ...maker, address: makerAddress(maker, language) },
    pages: [
      { title: t('nav.downloads'), path: downloadsPath(language) },
      { title: t('nav.norms'), path: normsPath(language) },
      ...(shops.feeds ? [{ title: t('nav.data'), path: dataPath(language) }] : []),
      ...footer(language),
    ],
    languages: languages.map(({ code, name }) => ({ name, path: homePath(code), lang: toBcp47(code) })),
  };
}
