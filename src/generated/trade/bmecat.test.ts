import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterEach, expect, it } from 'vitest';
import type { OptionsInput } from '#config/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import type { TestSite } from '../testing/test-generators.ts';
import { checkOrder } from './testing/check-order.ts';
import { createTradeSite, readTrade, TAPE, TRADE_GTINS } from './testing/create-trade-site.ts';

/**
 * Children of elements in the order of the published schema (bmecat_2005.xsd), as far as they are used. The schema itself
 * isn't part of the project.
 */
const ORDER: Readonly<Record<string, string>> = {
  BMECAT: 'HEADER T_NEW_CATALOG',
  HEADER: 'GENERATOR_INFO? CATALOG SUPPLIER',
  CATALOG: 'LANGUAGE+ CATALOG_ID CATALOG_VERSION CATALOG_NAME* GENERATION_DATE? CURRENCY?',
  SUPPLIER: 'SUPPLIER_NAME ADDRESS?',
  ADDRESS: 'NAME* COUNTRY_CODED? EMAIL* URL? ADDRESS_REMARKS*',
  T_NEW_CATALOG: 'CATALOG_GROUP_SYSTEM? PRODUCT* PRODUCT_TO_CATALOGGROUP_MAP*',
  CATALOG_GROUP_SYSTEM: 'CATALOG_STRUCTURE+',
  CATALOG_STRUCTURE: 'GROUP_ID GROUP_NAME+ PARENT_ID',
  PRODUCT:
    'SUPPLIER_PID PRODUCT_DETAILS PRODUCT_FEATURES* PRODUCT_ORDER_DETAILS PRODUCT_PRICE_DETAILS+ MIME_INFO? PRODUCT_LOGISTIC_DETAILS?',
  PRODUCT_DETAILS: 'DESCRIPTION_SHORT+ DESCRIPTION_LONG* INTERNATIONAL_PID* MANUFACTURER_PID? MANUFACTURER_NAME?',
  PRODUCT_FEATURES: 'REFERENCE_FEATURE_SYSTEM_NAME? REFERENCE_FEATURE_GROUP_ID* FEATURE*',
  FEATURE: 'FNAME+ FVALUE+ FUNIT? FDESCR*',
  PRODUCT_ORDER_DETAILS: 'ORDER_UNIT CONTENT_UNIT? NO_CU_PER_OU? PRICE_QUANTITY? QUANTITY_MIN? PACKING_UNITS?',
  PACKING_UNITS: 'PACKING_UNIT+',
  PACKING_UNIT: 'QUANTITY_MIN QUANTITY_MAX PACKING_UNIT_CODE',
  PRODUCT_PRICE_DETAILS: 'PRODUCT_PRICE+',
  PRODUCT_PRICE: 'PRICE_AMOUNT? PRICE_CURRENCY? TAX? LOWER_BOUND?',
  MIME_INFO: 'MIME+',
  MIME: 'MIME_TYPE? MIME_SOURCE+ MIME_DESCR* MIME_PURPOSE?',
  PRODUCT_LOGISTIC_DETAILS: 'PRODUCT_DIMENSIONS?',
  PRODUCT_DIMENSIONS: 'WEIGHT?',
  PRODUCT_TO_CATALOGGROUP_MAP: 'PROD_ID CATALOG_GROUP_ID',
};

/** Maximum lengths of texts in the schema. */
const LENGTHS: Readonly<Record<string, number>> = {
  CATALOG_ID: 20,
  CATALOG_VERSION: 7,
  CATALOG_NAME: 100,
  SUPPLIER_NAME: 50,
  SUPPLIER_PID: 32,
  PROD_ID: 32,
  DESCRIPTION_SHORT: 150,
  DESCRIPTION_LONG: 64_000,
  FNAME: 60,
  FVALUE: 60,
  FUNIT: 20,
  FDESCR: 250,
  GROUP_ID: 50,
  GROUP_NAME: 50,
  MIME_SOURCE: 255,
  MIME_DESCR: 250,
};

let site: TestSite;
afterEach(() => site.close());

async function read(
  products: readonly Partial<ProductRecord>[],
  options: Partial<OptionsInput> = {},
  language = 'de-de',
) {
  site = createTradeSite(products, options);
  const xml = await readTrade(site, 'bmecat.xml', language);
  expect(XMLValidator.validate(xml)).toBe(true);
  checkOrder(xml, 'BMECAT', ORDER, LENGTHS);
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    isArray: (name) => ['PRODUCT', 'PRODUCT_FEATURES', 'FEATURE', 'MIME', 'CATALOG_STRUCTURE'].includes(name),
  });
  return { xml, catalogue: (parser.parse(xml) as { BMECAT: { T_NEW_CATALOG: Record<string, never> } }).BMECAT };
}

const ETIM = {
  release: '9.0',
  families: {
    tapes: {
      class: 'EC002547',
      features: {
        EF000008: { from: 'width' },
        EF000139: { from: 'EN 1849-2', unit: 'mm' },
        EF000001: { from: 'Klasse', values: { '4': 'EV000004' } },
        EF000002: { from: 'Formel', values: {} },
      },
    },
  },
};

it('writes products with declared values unchanged, units, prices, files and groups', async () => {
  const { catalogue } = await read([TAPE, { name: 'Dose', item_number: 'B-2', trade_unit: 'Kanister' }], {
    price: { show: 'net' },
  });
  expect(catalogue).toMatchObject({ '@_version': '2005', '@_xmlns': 'http://www.bmecat.org/bmecat/2005fd' });
  const { PRODUCT, CATALOG_GROUP_SYSTEM } = catalogue.T_NEW_CATALOG as unknown as {
    PRODUCT: Record<string, unknown>[];
    CATALOG_GROUP_SYSTEM: unknown;
  };
  expect(PRODUCT[0]).toMatchObject({
    SUPPLIER_PID: '0815',
    PRODUCT_DETAILS: {
      DESCRIPTION_SHORT: {
        '#text': 'Band &quot;60&quot; &amp; &lt;Co&gt;'.replaceAll(/&(\w+);/g, decode),
        '@_lang': 'deu',
      },
      DESCRIPTION_LONG: { '#text': 'Klebt.\n\nFür Bahnen:\n- innen\n- m2 & mehr' },
      INTERNATIONAL_PID: { '#text': TRADE_GTINS[0], '@_type': 'gtin' },
    },
    PRODUCT_ORDER_DETAILS: {
      ORDER_UNIT: 'RO',
      CONTENT_UNIT: 'MTR',
      NO_CU_PER_OU: '25',
      PACKING_UNITS: { PACKING_UNIT: { QUANTITY_MIN: '10', QUANTITY_MAX: '10', PACKING_UNIT_CODE: 'CT' } },
    },
    PRODUCT_PRICE_DETAILS: {
      PRODUCT_PRICE: { PRICE_AMOUNT: '24.90', PRICE_CURRENCY: 'EUR', '@_price_type': 'net_list' },
    },
    MIME_INFO: {
      MIME: [
        {
          MIME_TYPE: 'image/jpeg',
          MIME_SOURCE: expect.stringMatching(/^https:\/\/catalogue\.example\/.*\.jpe?g$/) as string,
          MIME_PURPOSE: 'normal',
        },
        { MIME_TYPE: 'application/pdf', MIME_SOURCE: 'https://media.example/sheet.pdf', MIME_PURPOSE: 'data_sheet' },
      ],
    },
  });
  expect(PRODUCT[1]).toMatchObject({ PRODUCT_ORDER_DETAILS: { ORDER_UNIT: 'CI' } });
  const [features] = (PRODUCT[0]?.['PRODUCT_FEATURES'] ?? []) as { FEATURE: unknown[] }[];
  expect(features?.FEATURE[0]).toMatchObject({ FVALUE: { '#text': '0,35 mm' }, FDESCR: 'EN 1849-2' });
  expect(features?.FEATURE.slice(-2)).toMatchObject([
    { FNAME: 'Länge', FVALUE: '25', FUNIT: 'MTR' },
    { FNAME: 'Breite', FVALUE: '0.06', FUNIT: 'MTR' },
  ]);
  expect(CATALOG_GROUP_SYSTEM).toMatchObject({
    CATALOG_STRUCTURE: [{ PARENT_ID: '0' }, { GROUP_ID: 'tapes', GROUP_NAME: 'Bänder', PARENT_ID: 'root' }],
  });
});

const decode = (_: string, name: string) => ({ quot: '"', amp: '&', lt: '<', gt: '>' })[name] ?? '';

it('writes no price that the site hides', async () => {
  const { xml } = await read([TAPE]);
  expect(xml).toContain('price_type="on_request"');
  expect(xml).not.toContain('PRICE_AMOUNT');
});

it('writes the ETIM class and the features that the owner maps, and reports other values', async () => {
  const { xml } = await read([TAPE], { shops: { etim: ETIM } });
  const [etim = ''] = /<PRODUCT_FEATURES><REFERENCE[^]*?<\/PRODUCT_FEATURES>/.exec(xml) ?? [];
  expect(etim.replaceAll(/\n/g, '')).toBe(
    '<PRODUCT_FEATURES><REFERENCE_FEATURE_SYSTEM_NAME>ETIM-9.0</REFERENCE_FEATURE_SYSTEM_NAME>' +
      '<REFERENCE_FEATURE_GROUP_ID>EC002547</REFERENCE_FEATURE_GROUP_ID>' +
      '<FEATURE><FNAME>EF000008</FNAME><FVALUE>0.06</FVALUE></FEATURE>' +
      '<FEATURE><FNAME>EF000139</FNAME><FVALUE>0.35</FVALUE><FUNIT>mm</FUNIT></FEATURE>' +
      '<FEATURE><FNAME>EF000001</FNAME><FVALUE>EV000004</FVALUE></FEATURE></PRODUCT_FEATURES>',
  );
  expect(site.warnings).toContain(
    `/feeds/de-de/bmecat.xml: ${TRADE_GTINS[0]}: "=1+1", which isn't a value of the ETIM feature EF000002. Complete "shops.etim" in the configuration.`,
  );
  site.close();
  const families = { wood: ETIM.families.tapes };
  await read([TAPE], { shops: { etim: { release: '9.0', families } } });
  expect(site.warnings[0]).toContain('shops.etim names the family "wood"');
});

it('gives no product the GTIN of another as its number', async () => {
  const { xml } = await read([
    { ...TAPE, item_number: '' },
    { name: 'B', item_number: TRADE_GTINS[0] ?? '' },
  ]);
  expect(xml.match(/(?<=<SUPPLIER_PID>)\d+/g)?.toSorted()).toEqual(TRADE_GTINS.slice(0, 2));
});

it('writes the values of product.fields as features, with units and languages', async () => {
  const label = (de: string) => ({ label: { de, en: `${de} (en)` }, show: ['feeds' as const] });
  const { catalogue } = await read(
    [
      { ...TAPE, extra: { weight_of_roll: '7.50', colours: ['red', 'white'], backing: 'Vlies', tested: true } },
      { ...TAPE, item_number: '1', extra: { backing: 'x'.repeat(61), hidden: 'secret' } },
    ],
    {
      product: {
        fields: {
          weight_of_roll: { type: 'number', unit: 'kg', ...label('Rollengewicht') },
          colours: { type: 'list', values: { red: { de: 'Rot' }, white: { de: 'Weiß' } }, ...label('Farben') },
          backing: { type: 'text', ...label('Träger') },
          tested: { type: 'boolean', ...label('Geprüft') },
          hidden: { type: 'text', ...label('Intern'), show: ['page'] },
        },
      },
    },
    'en-gb',
  );
  const { PRODUCT } = catalogue.T_NEW_CATALOG as unknown as {
    PRODUCT: { SUPPLIER_PID: string; PRODUCT_FEATURES: { FEATURE: unknown[] }[] }[];
  };
  const featuresOf = (number: string) =>
    PRODUCT.find(({ SUPPLIER_PID }) => SUPPLIER_PID === number)?.PRODUCT_FEATURES[0]?.FEATURE ?? [];
  expect(featuresOf('0815').slice(-4)).toEqual([
    { FNAME: 'Rollengewicht (en)', FVALUE: '7.5', FUNIT: 'kg' },
    { FNAME: 'Farben (en)', FVALUE: ['Rot', 'Weiß'] },
    { FNAME: 'Träger (en)', FVALUE: { '@_lang': 'deu', '#text': 'Vlies' } },
    { FNAME: 'Geprüft (en)', FVALUE: 'Yes' },
  ]);
  expect(JSON.stringify(featuresOf('1'))).not.toMatch(/xxx|secret/);
  expect(site.warnings.filter((warning) => warning.includes('more than 60 characters'))).toHaveLength(2);
});

it('loses only the data that the format cannot hold, and reports it', async () => {
  const long = 'x'.repeat(300);
  const { xml } = await read([
    { ...TAPE, name: long, item_number: '', attributes: [{ name: long, norm: long, value: 'short' }] },
    { name: 'B', item_number: 'same', trade_unit: 'Fuhre', attributes: [{ name: 'Wert', norm: '', value: long }] },
    { name: 'C', item_number: 'same' },
  ]);
  expect(xml.match(/<SUPPLIER_PID>\d+/g)).toEqual(TRADE_GTINS.map((gtin) => `<SUPPLIER_PID>${gtin}`));
  expect(
    site.warnings
      .filter((warning) => warning.startsWith('/feeds/de-de/bmecat.xml'))
      .map((w) => w.slice('/feeds/de-de/bmecat.xml: '.length)),
  ).toEqual([
    `${TRADE_GTINS[0]}: no item number, so the GTIN is used. Correct "item_number" at its source.`,
    `${TRADE_GTINS[1]}, ${TRADE_GTINS[2]}: the item number of another product, so the GTIN is used. Correct "item_number" at its source.`,
    `${TRADE_GTINS[0]}: a name of more than 150 characters, which is shortened. Shorten it at its source.`,
    `${TRADE_GTINS[0]}: a property name of more than 60 characters, which is shortened. Shorten it at its source.`,
    `${TRADE_GTINS[1]}: a value of more than 60 characters, which is missing. Split it into several properties.`,
    `${TRADE_GTINS[1]}: the unit "Fuhre" without a code, so that of pieces is used. Use a word of the texts "unit.…" in content/strings.`,
  ]);
});
