import { dataPath, downloadsPath, homePath, normsPath, productsPath, searchPath } from '#catalogue/addresses/paths.ts';
import { makerAddress } from '#catalogue/site/maker-address.ts';
import type { Options } from '#config/index.ts';
import { DOCUMENT_FIELDS, toBcp47 } from '#contracts/product/index.ts';
import type { Ui } from '#i18n/index.ts';
import type { PageChrome } from './product-facts.ts';
import type { LocalSite } from './read-local-site.ts';

export function describePageChrome(
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
