import { vatOf } from '#catalogue/products/price.ts';
import { shorten } from '#catalogue/languages/fold-text.ts';
import { shiftDecimal } from '#catalogue/quantities/decimal-arithmetic.ts';
import { baseLanguage } from '#contracts/localized.ts';
import { DIMENSION_FIELDS, getFieldUnit, TEXT_FIELDS } from '#contracts/product/index.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { feedFieldTexts } from '../feeds/compose-feed-product.ts';
import { tenderUnit } from './tender.ts';
import {
  htmlLines,
  lastChange,
  productNumbers,
  toXml,
  unitCode,
  type ComposeTradeFile,
  type TradeCatalogue,
  type XmlElements,
} from './trade-format.ts';

/** Limits of the BMEcat 2005 schema, in characters. */
const MAX = { id: 32, name: 150, text: 64_000, feature: 60, description: 250, address: 255, group: 50, party: 50 };

/** ISO 639-2 codes, which BMEcat requires. Codes of three letters stay as they are. */
const LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries(
  'bg:bul cs:ces da:dan de:deu el:ell en:eng es:spa et:est fi:fin fr:fra ga:gle hr:hrv hu:hun is:isl it:ita ja:jpn ko:kor lt:lit lv:lav nb:nob nl:nld nn:nno no:nor pl:pol pt:por ro:ron ru:rus sk:slk sl:slv sv:swe tr:tur uk:ukr zh:zho'
    .split(' ')
    .map((pair) => pair.split(':')),
);

const HOUR_MS = 3_600_000;

/** Composes a BMEcat 2005 catalogue (`T_NEW_CATALOG`). Groups are families. */
export const composeBmecat: ComposeTradeFile = (catalogue) => {
  const { id, products, language, currency, settings } = catalogue;
  const { site, maker } = settings.options;
  const date = lastChange(products);
  const numbers = productNumbers(catalogue, MAX.id);
  const grouped = products.filter(({ family }) => family !== '');
  const families = new Map(grouped.map(({ family, family_name }) => [family.slice(0, MAX.group), family_name]));
  const group = (type: string, groupId: string, name: string, parent: string) => ({
    '@type': type,
    GROUP_ID: groupId,
    GROUP_NAME: name.slice(0, MAX.group),
    PARENT_ID: parent,
  });
  const groups = [...families].map(([family, name]) => group('leaf', family, name, 'root'));
  if (groups.length > 0) groups.unshift(group('root', 'root', site.name, '0'));
  return toXml('BMECAT', {
    '@version': '2005',
    '@xmlns': 'http://www.bmecat.org/bmecat/2005fd',
    HEADER: {
      GENERATOR_INFO: 'Sortiment',
      CATALOG: {
        LANGUAGE: { '@default': 'true', '#text': languageOf(language) },
        CATALOG_ID: id.slice(0, 20),
        // Increases with each change: hours since 1970.
        CATALOG_VERSION: (Math.floor(date.getTime() / HOUR_MS) / 1000).toFixed(3),
        CATALOG_NAME: site.name.slice(0, 100),
        GENERATION_DATE: `${date.toISOString().slice(0, 19)}Z`,
        CURRENCY: currency,
      },
      SUPPLIER: {
        SUPPLIER_NAME: maker.name.slice(0, MAX.party),
        ADDRESS: {
          '@type': 'supplier',
          NAME: maker.name.slice(0, MAX.party),
          COUNTRY_CODED: maker.country,
          EMAIL: maker.email.slice(0, MAX.address),
          URL: `${settings.siteUrl}/`.slice(0, MAX.address),
          ADDRESS_REMARKS: maker.address.join('\n').slice(0, MAX.description),
        },
      },
    },
    T_NEW_CATALOG: {
      // Required, even without products.
      '#text': '\n',
      CATALOG_GROUP_SYSTEM: { CATALOG_STRUCTURE: groups },
      PRODUCT: products.map((product) => composeProduct(product, numbers.get(product), catalogue)),
      PRODUCT_TO_CATALOGGROUP_MAP: grouped.map((product) => ({
        PROD_ID: numbers.get(product),
        CATALOG_GROUP_ID: product.family.slice(0, MAX.group),
      })),
    },
  });
};

function languageOf(code: string): string {
  const base = baseLanguage(code);
  return LANGUAGES[base] ?? (base.length === 3 ? base : 'mis');
}

function composeProduct(product: FeedProduct, number: string | undefined, catalogue: TradeCatalogue): XmlElements {
  const { language, currency, settings, report } = catalogue;
  const { price: rule, maker } = settings.options;
  const vat = vatOf(rule, language);
  const limit: Limit = (text, maxCharacters, what) => {
    const shortened = shorten(text, maxCharacters);
    const problem = `a ${what} of more than ${maxCharacters} characters, which is shortened. Shorten it at its source.`;
    if (shortened !== text) report(problem, product);
    return shortened;
  };
  const lang = languageOf(product.language);
  const texts = [product.intro, ...TEXT_FIELDS.map((field) => htmlLines(product[field]))];
  const { price, price_tax } = product;
  return {
    '@mode': 'new',
    SUPPLIER_PID: number,
    PRODUCT_DETAILS: {
      DESCRIPTION_SHORT: { '@lang': lang, '#text': limit(product.name, MAX.name, 'name') },
      DESCRIPTION_LONG: {
        '@lang': lang,
        '#text': limit(texts.filter(Boolean).join('\n\n'), MAX.text, 'description'),
      },
      INTERNATIONAL_PID: { '@type': 'gtin', '#text': product.gtin },
      MANUFACTURER_PID: number,
      MANUFACTURER_NAME: maker.name.slice(0, MAX.party),
    },
    PRODUCT_FEATURES: [etimFeatures(product, catalogue), { FEATURE: features(product, catalogue, limit) }],
    PRODUCT_ORDER_DETAILS: orderDetails(product, catalogue),
    PRODUCT_PRICE_DETAILS: {
      PRODUCT_PRICE: {
        '@price_type': PRICE_TYPES[price_tax ?? 'none'],
        PRICE_AMOUNT: price,
        PRICE_CURRENCY: currency,
        TAX: price === null || vat === undefined ? null : shiftDecimal(String(vat), -2),
        LOWER_BOUND: price && 1,
      },
    },
    MIME_INFO: { MIME: files(product, catalogue) },
    PRODUCT_LOGISTIC_DETAILS: { PRODUCT_DIMENSIONS: { WEIGHT: product.weight } },
  };
}

const PRICE_TYPES = { net: 'net_list', gross: 'gros_list', none: 'on_request' };

function orderDetails(product: FeedProduct, catalogue: TradeCatalogue): XmlElements {
  const { code, content } = tenderUnit(product);
  const packings = new Map<string, XmlElements>();
  for (const field of ['packaging_unit', 'bundle_unit'] as const) {
    const quantity = product[`${field}_quantity`];
    if (quantity === null || product[field] === '') continue;
    const unit = unitCode(product[field], product, catalogue);
    // Both units may be the same pallet.
    packings.set(`${unit} ${quantity}`, { QUANTITY_MIN: quantity, QUANTITY_MAX: quantity, PACKING_UNIT_CODE: unit });
  }
  return {
    ORDER_UNIT: unitCode(product.trade_unit, product, catalogue),
    CONTENT_UNIT: code,
    NO_CU_PER_OU: content,
    PRICE_QUANTITY: 1,
    QUANTITY_MIN: 1,
    PACKING_UNITS: { PACKING_UNIT: [...packings.values()] },
  };
}

type Limit = (text: string, maxCharacters: number, what: string) => string;

const LONG_VALUE = `a value of more than ${MAX.feature} characters, which is missing. Split it into several properties.`;

/** Declared values, unchanged, dimensions with their units, and `product.fields`. */
function features(product: FeedProduct, catalogue: TradeCatalogue, limit: Limit): XmlElements[] {
  const { ui, language, settings, report } = catalogue;
  const lang = languageOf(product.language);
  const declared = product.attributes.flatMap(({ name, norm, value }) => {
    if (name === '' || value === '') return [];
    if ([...value].length <= MAX.feature)
      return {
        FNAME: { '@lang': lang, '#text': limit(name, MAX.feature, 'property name') },
        FVALUE: { '@lang': lang, '#text': value },
        FDESCR: norm.slice(0, MAX.description),
      };
    report(LONG_VALUE, product);
    return [];
  });
  const dimensions = DIMENSION_FIELDS.filter((field) => product[field] !== null).map((field) => ({
    FNAME: ui.t(`field.${field}`).slice(0, MAX.feature),
    FVALUE: product[field],
    FUNIT: getFieldUnit(field).unitCode,
  }));
  const further = feedFieldTexts(settings.options, language, ui).flatMap(
    ({ field, name, unit, isFreeText, textsOf }) => {
      const value = product.fields?.[field];
      const texts = typeof value === 'number' ? [String(value)] : textsOf(product);
      const short = texts.filter((text) => [...text].length <= MAX.feature);
      if (short.length < texts.length) report(LONG_VALUE, product);
      if (short.length === 0) return [];
      return {
        FNAME: limit(name, MAX.feature, 'property name'),
        FVALUE: short.map((text) => (isFreeText ? { '@lang': lang, '#text': text } : text)),
        FUNIT: unit,
      };
    },
  );
  return [...declared, ...dimensions, ...further];
}

/** Features of the ETIM class that the owner has assigned to the family. */
function etimFeatures(product: FeedProduct, { settings, report }: TradeCatalogue): XmlElements | undefined {
  const { etim } = settings.options.shops;
  const mapped = etim?.families[product.family];
  if (!mapped) return undefined;
  const mappedFeatures = Object.entries(mapped.features).flatMap(([id, { from, unit = '', values }]) => {
    const field = DIMENSION_FIELDS.find((name) => name === from);
    const attribute = product.attributes.find(({ norm, name }) => norm === from || name === from);
    const declared = (field && product[field])?.toString() ?? attribute?.value;
    if (declared === undefined) return [];
    const suffix = unit && ` ${unit}`;
    const number = declared.endsWith(suffix) ? declared.slice(0, declared.length - suffix.length) : declared;
    const value = values ? values[declared] : NUMBER.test(number) && number.replace(',', '.');
    if (value) return { FNAME: id, FVALUE: value, FUNIT: unit };
    const problem = `"${declared}", which isn't a value of the ETIM feature ${id}. Complete "shops.etim" in the configuration.`;
    report(problem, product);
    return [];
  });
  return {
    REFERENCE_FEATURE_SYSTEM_NAME: `ETIM-${etim.release}`,
    REFERENCE_FEATURE_GROUP_ID: mapped.class,
    FEATURE: mappedFeatures,
  };
}

const NUMBER = /^-?\d+(?:[.,]\d+)?$/;

const LONG_ADDRESS = `the address of a file with more than ${MAX.address} characters, which is missing. Rename the file.`;

const DOCUMENTS = [
  ['datasheet', 'data_sheet'],
  ['safety_datasheet', 'safety_data_sheet'],
  ['declaration_of_performance', 'others'],
] as const;

function files(product: FeedProduct, { ui, report }: TradeCatalogue): XmlElements[] {
  const listed = [
    [product.image_1600, 'image', 'image/jpeg', 'normal'] as const,
    ...DOCUMENTS.map(([field, purpose]) => [product[field], field, 'application/pdf', purpose] as const),
    ...product.documents.map(({ url, kind, media_type }) => [url, kind, media_type, 'others'] as const),
  ];
  return listed.flatMap(([MIME_SOURCE, label, MIME_TYPE, MIME_PURPOSE]) => {
    if (MIME_SOURCE === '') return [];
    const MIME_DESCR = ui.fieldLabel(label);
    if (MIME_SOURCE.length <= MAX.address) return { MIME_TYPE, MIME_SOURCE, MIME_DESCR, MIME_PURPOSE };
    report(LONG_ADDRESS, product);
    return [];
  });
}
