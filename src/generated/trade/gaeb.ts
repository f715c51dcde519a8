import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { tenderProducts, tenderText, tenderUnit } from './tender.ts';
import { lastChange, toXml, type ComposeTradeFile, type TradeCatalogue, type XmlElements } from './trade-format.ts';

/** Digits of an item's number. Numbers count by tens, so that planners can insert items. */
const ITEM_DIGITS = 4;

const MAX_UNIT = 4;

/** Composes the tender texts as a bill of quantities: GAEB DA XML 3.3, phase 81. A chapter is a family. */
export const composeGaeb: ComposeTradeFile = (catalogue) => {
  const { site, maker } = catalogue.settings.options;
  const products = tenderProducts(catalogue);
  const families = [...Map.groupBy(products, ({ family }) => family).values()];
  const chapterDigits = Math.max(2, String(families.length).length);
  const chapters = families.map((members, i) =>
    chapter(members, String(i + 1).padStart(chapterDigits, '0'), catalogue),
  );
  const level = (type: string, digits: number) => ({ Type: type, Length: digits, Num: 'Yes' });
  return toXml('GAEB', {
    '@xmlns': 'http://www.gaeb.de/GAEB_DA_XML/DA81/3.3',
    GAEBInfo: {
      Version: '3.3',
      VersDate: '2021-05',
      Date: lastChange(products).toISOString().slice(0, 10),
      ProgSystem: 'Sortiment',
    },
    PrjInfo: { NamePrj: line(site.name, 60), LblPrj: line(maker.name, 100) },
    Award: {
      DP: 81,
      AwardInfo: { Cur: catalogue.currency },
      BoQ: {
        '@ID': 'BoQ',
        BoQInfo: {
          Name: line(site.name, 20),
          LblBoQ: line(`${site.name}, ${maker.name}`, 60),
          OutlCompl: 'AllTxt',
          BoQBkdn: [level('BoQLevel', chapterDigits), level('Item', ITEM_DIGITS)],
        },
        // Required, even without chapters.
        BoQBody: chapters.length === 0 ? '\n' : { BoQCtgy: chapters },
      },
    },
  });
};

function chapter(products: readonly FeedProduct[], number: string, catalogue: TradeCatalogue): XmlElements {
  const step = products.length < 10 ** (ITEM_DIGITS - 1) ? 10 : 1;
  const items = products.map((product, i) => {
    const unit = tenderUnit(product).name.replace('²', '2');
    return {
      '@ID': `P${product.gtin}`,
      '@RNoPart': String((i + 1) * step).padStart(ITEM_DIGITS, '0'),
      Qty: '1.000',
      QU: unit !== '' && unit.length <= MAX_UNIT ? unit : 'St',
      Description: {
        CompleteText: {
          DetailTxt: { Text: paragraphs(tenderText(product, catalogue)) },
          OutlineText: { OutlTxt: { TextOutlTxt: paragraphs(line(product.name)) } },
        },
      },
    };
  });
  return {
    '@ID': `C${number}`,
    '@RNoPart': number,
    LblTx: paragraphs(line(products[0]?.family_name || catalogue.ui.t('nav.products'))),
    BoQBody: { Itemlist: { Item: items } },
  };
}

const paragraphs = (text: string) => ({ p: text.split('\n').map((span) => ({ span: line(span) })) });

/** Texts of the format have no line breaks and tabs. */
function line(text: string, maxCharacters = Infinity): string {
  return text.replaceAll(/\s/g, ' ').slice(0, maxCharacters);
}
