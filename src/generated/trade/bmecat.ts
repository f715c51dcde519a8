import { priceDisplay } from '#catalogue/products/price.ts';
import { shiftDecimal } from '#catalogue/quantities/decimal-arithmetic.ts';
import type { EtimFeature } from '#config/index.ts';
import { baseLanguage } from '#contracts/localized.ts';
import { DIMENSION_FIELDS, getFieldUnit, TEXT_FIELDS } from '#contracts/product/index.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { tenderUnit } from './tender.ts';
import {
  element,
  htmlLines,
  lastChange,
  limiter,
  unitCoder,
  type ComposeTradeFile,
  type TradeCatalogue,
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
  const { products, language, settings } = catalogue;
  const { site, maker } = settings.options;
  const date = lastChange(products);
  const hours = String(Math.floor(date.getTime() / HOUR_MS)).padStart(6, '0');
  const numbers = supplierNumbers(catalogue, MAX.id);
  const items = products.map((product) => [product, numbers.get(product) ?? product.gtin] as const);
  const compose = productComposer(catalogue);
  const header = element('HEADER', [
    element('GENERATOR_INFO', 'Sortiment'),
    element('CATALOG', [
      element('LANGUAGE', languageOf(language), ' default="true"'),
      element('CATALOG_ID', catalogue.id.slice(0, 20)),
      // Increases with each change: hours since 1970.
      element('CATALOG_VERSION', `${hours.slice(0, 3)}.${hours.slice(3)}`),
      element('CATALOG_NAME', site.name.slice(0, 100)),
      element('GENERATION_DATE', `${date.toISOString().slice(0, 19)}Z`),
      element('CURRENCY', 'EUR'),
    ]),
    element('SUPPLIER', [
      element('SUPPLIER_NAME', maker.name.slice(0, MAX.party)),
      element(
        'ADDRESS',
        [
          element('NAME', maker.name.slice(0, MAX.party)),
          element('COUNTRY_CODED', maker.country ?? ''),
          element('EMAIL', maker.email.slice(0, MAX.address)),
          element('URL', `${settings.siteUrl}/`.slice(0, MAX.address)),
          element('ADDRESS_REMARKS', maker.address.join('\n').slice(0, MAX.description)),
        ],
        ' type="supplier"',
      ),
    ]),
  ]);
  const map = items.flatMap(([{ family }, number]) =>
    family === ''
      ? []
      : element('PRODUCT_TO_CATALOGGROUP_MAP', [
          element('PROD_ID', number),
          element('CATALOG_GROUP_ID', groupId(family)),
        ]),
  );
  const body = [groupSystem(catalogue), ...items.map(([product, number]) => compose(product, number)), ...map];
  return `<?xml version="1.0" encoding="UTF-8"?>
<BMECAT version="2005" xmlns="http://www.bmecat.org/bmecat/2005fd">
${header}<T_NEW_CATALOG>
${body.join('')}</T_NEW_CATALOG>
</BMECAT>
`;
};

function languageOf(code: string): string {
  const base = baseLanguage(code);
  return LANGUAGES[base] ?? (base.length === 3 ? base : 'mis');
}

/** Returns the number of each product: its item number, or the GTIN if that is missing, too long or not unique. */
export function supplierNumbers(
  { products, report }: Pick<TradeCatalogue, 'products' | 'report'>,
  maxCharacters: number,
  isAllowed: (number: string) => boolean = () => true,
): Map<FeedProduct, string> {
  const used = new Map<string, number>();
  // A GTIN is the number of its product, even if another has it as item number.
  for (const number of products.flatMap(({ item_number, gtin }) => [
    item_number,
    ...(item_number === gtin ? [] : [gtin]),
  ]))
    used.set(number, (used.get(number) ?? 0) + 1);
  return new Map(
    products.map((product) => {
      const { item_number, gtin } = product;
      const problem =
        item_number === ''
          ? 'no item number'
          : item_number.length > maxCharacters
            ? `an item number of more than ${maxCharacters} characters`
            : (used.get(item_number) ?? 0) > 1
              ? 'the item number of another product'
              : isAllowed(item_number)
                ? undefined
                : 'an item number with reserved characters';
      if (problem) report(`${problem}, so the GTIN is used. Correct "item_number" at its source.`, product);
      return [product, problem ? gtin : item_number];
    }),
  );
}

const groupId = (family: string): string => family.slice(0, MAX.group);

const ROOT_GROUP = 'root';

function groupSystem({ products, settings }: TradeCatalogue): string {
  const names = new Map(products.flatMap(({ family, family_name }) => (family === '' ? [] : [[family, family_name]])));
  if (names.size === 0) return '';
  const group = (type: string, id: string, name: string, parent: string) =>
    element(
      'CATALOG_STRUCTURE',
      [element('GROUP_ID', id), element('GROUP_NAME', name.slice(0, MAX.group)), element('PARENT_ID', parent)],
      ` type="${type}"`,
    );
  return element('CATALOG_GROUP_SYSTEM', [
    group('root', ROOT_GROUP, settings.options.site.name, '0'),
    ...[...names].map(([family, name]) => group('leaf', groupId(family), name, ROOT_GROUP)),
  ]);
}

function productComposer(catalogue: TradeCatalogue): (product: FeedProduct, number: string) => string {
  const { language, settings, report } = catalogue;
  const { price: rule, maker } = settings.options;
  const priceType = priceDisplay(rule, language) === 'gross' ? 'gros_list' : 'net_list';
  const vat = rule.vat[language] ?? rule.vat[baseLanguage(language)];
  const tax = vat === undefined ? '' : shiftDecimal(String(vat), -2);
  const codeOf = unitCoder(catalogue);
  return (product, number) => {
    const limit = limiter(product, report);
    const lang = ` lang="${languageOf(product.language)}"`;
    const texts = [product.intro, ...TEXT_FIELDS.map((field) => htmlLines(product[field]))];
    const { price } = product;
    return element(
      'PRODUCT',
      [
        element('SUPPLIER_PID', number),
        element('PRODUCT_DETAILS', [
          element('DESCRIPTION_SHORT', limit(product.name, MAX.name, 'name'), lang),
          element('DESCRIPTION_LONG', limit(texts.filter(Boolean).join('\n\n'), MAX.text, 'description'), lang),
          element('INTERNATIONAL_PID', product.gtin, ' type="gtin"'),
          element('MANUFACTURER_PID', number),
          element('MANUFACTURER_NAME', maker.name.slice(0, MAX.party)),
        ]),
        etimFeatures(product, catalogue),
        ownFeatures(product, catalogue, lang),
        orderDetails(product, codeOf),
        element('PRODUCT_PRICE_DETAILS', [
          element(
            'PRODUCT_PRICE',
            [
              element('PRICE_AMOUNT', price ?? ''),
              element('PRICE_CURRENCY', 'EUR'),
              element('TAX', price === null ? '' : tax),
              element('LOWER_BOUND', price === null ? '' : '1'),
            ],
            ` price_type="${price === null ? 'on_request' : priceType}"`,
          ),
        ]),
        mimeInfo(product, catalogue),
        element('PRODUCT_LOGISTIC_DETAILS', [
          element('PRODUCT_DIMENSIONS', [element('WEIGHT', product.weight === null ? '' : String(product.weight))]),
        ]),
      ],
      ' mode="new"',
    );
  };
}

function orderDetails(product: FeedProduct, codeOf: ReturnType<typeof unitCoder>): string {
  const { trade_unit, length, area } = product;
  const { code } = tenderUnit(product);
  const content = code === 'MTK' ? area : code === 'MTR' ? length : null;
  const packings = (['packaging_unit', 'bundle_unit'] as const).flatMap((field) => {
    const quantity = product[`${field}_quantity`];
    if (quantity === null || product[field] === '') return [];
    return element('PACKING_UNIT', [
      element('QUANTITY_MIN', String(quantity)),
      element('QUANTITY_MAX', String(quantity)),
      element('PACKING_UNIT_CODE', codeOf(product[field], product)),
    ]);
  });
  return element('PRODUCT_ORDER_DETAILS', [
    element('ORDER_UNIT', codeOf(trade_unit, product)),
    ...(content === null ? [] : [element('CONTENT_UNIT', code), element('NO_CU_PER_OU', String(content))]),
    element('PRICE_QUANTITY', '1'),
    element('QUANTITY_MIN', '1'),
    // Both units may be the same pallet.
    element('PACKING_UNITS', [...new Set(packings)]),
  ]);
}

/** Declared values, unchanged, and dimensions with their units. */
function ownFeatures(product: FeedProduct, { ui, report }: TradeCatalogue, lang: string): string {
  const limit = limiter(product, report);
  const declared = product.attributes.flatMap(({ name, norm, value }) => {
    if (name === '' || value === '') return [];
    if ([...value].length <= MAX.feature)
      return feature(limit(name, MAX.feature, 'property name'), value, { lang, norm });
    report(
      `a value of more than ${MAX.feature} characters, which is missing. Split it into several properties.`,
      product,
    );
    return [];
  });
  const dimensions = DIMENSION_FIELDS.map((field) => {
    const value = product[field];
    if (value === null) return '';
    return feature(ui.t(`field.${field}`).slice(0, MAX.feature), String(value), { unit: getFieldUnit(field).unitCode });
  });
  return element('PRODUCT_FEATURES', [...declared, ...dimensions]);
}

function feature(
  name: string,
  value: string,
  { lang, unit = '', norm = '' }: { lang?: string; unit?: string | undefined; norm?: string },
): string {
  return element('FEATURE', [
    element('FNAME', name, lang),
    element('FVALUE', value, lang),
    element('FUNIT', unit),
    element('FDESCR', norm.slice(0, MAX.description)),
  ]);
}

/** Features of the ETIM class that the owner has assigned to the family. */
function etimFeatures(product: FeedProduct, { settings, report }: TradeCatalogue): string {
  const { etim } = settings.options.shops;
  const mapped = etim?.families[product.family];
  if (!etim || !mapped) return '';
  return element('PRODUCT_FEATURES', [
    element('REFERENCE_FEATURE_SYSTEM_NAME', `ETIM-${etim.release}`),
    element('REFERENCE_FEATURE_GROUP_ID', mapped.class),
    ...Object.entries(mapped.features).map(([id, source]) => {
      const found = etimValue(product, source);
      if (found === undefined) return '';
      if (found.value !== undefined) return feature(id, found.value, { unit: source.unit });
      report(
        `"${found.declared}", which isn't a value of the ETIM feature ${id}. Complete "shops.etim" in the configuration.`,
        product,
      );
      return '';
    }),
  ]);
}

/** @returns Undefined if the product doesn't declare the property. */
function etimValue(
  product: FeedProduct,
  { from, unit, values }: EtimFeature,
): { declared: string; value: string | undefined } | undefined {
  const field = DIMENSION_FIELDS.find((name) => name === from);
  const size = field && product[field];
  const attribute = product.attributes.find(({ norm, name }) => norm === from || name === from);
  const declared = typeof size === 'number' ? String(size) : attribute?.value;
  if (declared === undefined) return undefined;
  if (values) return { declared, value: values[declared] };
  const number = unit !== undefined && declared.endsWith(` ${unit}`) ? declared.slice(0, -unit.length - 1) : declared;
  return { declared, value: /^-?\d+(?:[.,]\d+)?$/.test(number) ? number.replace(',', '.') : undefined };
}

function mimeInfo(product: FeedProduct, { ui, report }: TradeCatalogue): string {
  const files = [
    [product.image_1600, 'image/jpeg', 'normal', ui.t('field.image')],
    [product.datasheet, 'application/pdf', 'data_sheet', ui.t('field.datasheet')],
    [product.safety_datasheet, 'application/pdf', 'safety_data_sheet', ui.t('field.safety_datasheet')],
    [product.declaration_of_performance, 'application/pdf', 'others', ui.t('field.declaration_of_performance')],
  ] as const;
  return element(
    'MIME_INFO',
    files.map(([address, type, purpose, description]) => {
      if (address === '') return '';
      if (address.length <= MAX.address)
        return element('MIME', [
          element('MIME_TYPE', type),
          element('MIME_SOURCE', address),
          element('MIME_DESCR', description),
          element('MIME_PURPOSE', purpose),
        ]);
      report(
        `the address of a file with more than ${MAX.address} characters, which is missing. Rename the file.`,
        product,
      );
      return '';
    }),
  );
}
