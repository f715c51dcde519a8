import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterEach, expect, it } from 'vitest';
import type { ProductRecord } from '#contracts/product/index.ts';
import type { TestSite } from '../testing/test-generators.ts';
import { createTradeSite, readTrade, TAPE, TRADE_GTINS } from './testing/create-trade-site.ts';
import { checkOrder } from './testing/check-order.ts';

/** Children of elements in the order of the published schema (GAEB_DA_XML_81_3.3_2021-05.xsd), as far as they are used. */
const ORDER: Readonly<Record<string, string>> = {
  GAEB: 'GAEBInfo PrjInfo? Award',
  GAEBInfo: 'Version VersDate Date ProgSystem?',
  PrjInfo: 'NamePrj? LblPrj?',
  Award: 'DP AwardInfo? BoQ?',
  AwardInfo: 'Cur?',
  BoQ: 'BoQInfo BoQBody',
  BoQInfo: 'Name LblBoQ OutlCompl BoQBkdn+',
  BoQBkdn: 'Type Length Num',
  BoQBody: '(?:BoQCtgy+|Itemlist)?',
  BoQCtgy: 'LblTx BoQBody?',
  Itemlist: 'Item*',
  Item: 'Qty? QU? Description?',
  Description: 'CompleteText?',
  CompleteText: 'DetailTxt OutlineText?',
  DetailTxt: 'Text*',
  Text: 'p*',
  OutlineText: 'OutlTxt',
  OutlTxt: 'TextOutlTxt*',
  TextOutlTxt: 'p*',
  LblTx: 'p*',
  p: 'span*',
};

const LENGTHS = { NamePrj: 60, LblPrj: 100, Name: 20, LblBoQ: 60, QU: 4 };

let site: TestSite;
afterEach(() => site.close());

async function read(products: readonly Partial<ProductRecord>[]) {
  site = createTradeSite(products);
  const xml = await readTrade(site, 'tender.x81');
  expect(XMLValidator.validate(xml)).toBe(true);
  checkOrder(xml, 'GAEB', ORDER, LENGTHS);
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    isArray: (name) => ['Item', 'BoQCtgy', 'p'].includes(name),
  });
  interface Item {
    '@_RNoPart': string;
    '@_ID': string;
    QU: string;
    Description: { CompleteText: { DetailTxt: { Text: { p: { span: string }[] } } } };
  }
  interface Chapter {
    LblTx: { p: { span: string }[] };
    BoQBody: { Itemlist: { Item: Item[] } };
  }
  const { GAEB } = parser.parse(xml) as {
    GAEB: { '@_xmlns': string; Award: { DP: string; BoQ: { BoQBody: { BoQCtgy: Chapter[] } } } };
  };
  return { gaeb: GAEB, chapters: GAEB.Award.BoQ.BoQBody.BoQCtgy };
}

it('writes an item per product with its tender text, in a chapter per family', async () => {
  const sheet = { name: 'Bahn', item_number: 'B-1', length: 50, width: 1.5, area: 75 };
  const { gaeb, chapters } = await read([TAPE, sheet, { name: 'Rest', item_number: 'C', trade_unit: 'Kartusche' }]);
  expect(gaeb['@_xmlns']).toBe('http://www.gaeb.de/GAEB_DA_XML/DA81/3.3');
  expect(gaeb.Award.DP).toBe('81');
  expect(chapters.map(({ LblTx }) => LblTx.p)).toEqual([[{ span: 'Bänder' }]]);
  const items = chapters[0]?.BoQBody.Itemlist.Item ?? [];
  expect(items.map((item) => [item['@_RNoPart'], item['@_ID'], item.QU])).toEqual([
    ['0010', `P${TRADE_GTINS[0]}`, 'm'],
    ['0020', `P${TRADE_GTINS[1]}`, 'm2'],
    ['0030', `P${TRADE_GTINS[2]}`, 'St'],
  ]);
  const lines = items[0]?.Description.CompleteText.DetailTxt.Text.p.map(({ span }) => span);
  const text = (site.files.get('feeds/de-de/tender.txt') ?? '').split('\r\n\r\n\r\n')[1]?.split('\r\n');
  expect(lines).toEqual(text);
});

it('holds names of any length', async () => {
  const { chapters } = await read([{ ...TAPE, name: 'x'.repeat(300), item_number: '' }]);
  expect(chapters).toHaveLength(1);
  expect(site.warnings.filter((warning) => warning.includes('x81'))).toEqual([]);
});
