import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { tenderProducts, tenderText, tenderUnit } from './tender.ts';
import { element, lastChange, type ComposeTradeFile, type TradeCatalogue } from './trade-format.ts';

/** Digits of an item's number. Numbers count by tens, so that planners can insert items. */
const ITEM_DIGITS = 4;

const MAX_UNIT = 4;

/** Composes the tender texts as a bill of quantities: GAEB DA XML 3.3, phase 81. A chapter is a family. */
export const composeGaeb: ComposeTradeFile = (catalogue) => {
  const { site, maker } = catalogue.settings.options;
  const products = tenderProducts(catalogue);
  const chapters = [...Map.groupBy(products, ({ family }) => family).values()];
  const chapterDigits = Math.max(2, String(chapters.length).length);
  const level = (type: string, digits: number) =>
    element('BoQBkdn', [element('Type', type), element('Length', String(digits)), element('Num', 'Yes')]);
  const body = [
    element('GAEBInfo', [
      element('Version', '3.3'),
      element('VersDate', '2021-05'),
      element('Date', lastChange(products).toISOString().slice(0, 10)),
      element('ProgSystem', 'Sortiment'),
    ]),
    element('PrjInfo', [element('NamePrj', line(site.name, 60)), element('LblPrj', line(maker.name, 100))]),
    element('Award', [
      element('DP', '81'),
      element('AwardInfo', [element('Cur', 'EUR')]),
      element(
        'BoQ',
        [
          element('BoQInfo', [
            element('Name', line(site.name, 20)),
            element('LblBoQ', line(`${site.name}, ${maker.name}`, 60)),
            element('OutlCompl', 'AllTxt'),
            level('BoQLevel', chapterDigits),
            level('Item', ITEM_DIGITS),
          ]),
          // Required, even without chapters.
          `<BoQBody>${chapters.map((members, i) => chapter(members, String(i + 1).padStart(chapterDigits, '0'), catalogue)).join('')}</BoQBody>\n`,
        ],
        ' ID="BoQ"',
      ),
    ]),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
${element('GAEB', body, ' xmlns="http://www.gaeb.de/GAEB_DA_XML/DA81/3.3"')}`;
};

function chapter(products: readonly FeedProduct[], number: string, catalogue: TradeCatalogue): string {
  const step = products.length < 10 ** (ITEM_DIGITS - 1) ? 10 : 1;
  const [first] = products;
  return element(
    'BoQCtgy',
    [
      element('LblTx', [paragraph(first?.family_name || catalogue.ui.t('nav.products'))]),
      element('BoQBody', [
        element(
          'Itemlist',
          products.map((product, i) => item(product, String((i + 1) * step).padStart(ITEM_DIGITS, '0'), catalogue)),
        ),
      ]),
    ],
    ` ID="C${number}" RNoPart="${number}"`,
  );
}

function item(product: FeedProduct, number: string, catalogue: TradeCatalogue): string {
  return element(
    'Item',
    [
      element('Qty', '1.000'),
      element('QU', unitOf(product)),
      element('Description', [
        element('CompleteText', [
          element('DetailTxt', [element('Text', tenderText(product, catalogue).split('\n').map(paragraph))]),
          element('OutlineText', [element('OutlTxt', [element('TextOutlTxt', [paragraph(product.name)])])]),
        ]),
      ]),
    ],
    ` ID="P${product.gtin}" RNoPart="${number}"`,
  );
}

function unitOf(product: FeedProduct): string {
  const { name } = tenderUnit(product);
  if (name === 'm²') return 'm2';
  return name !== '' && name.length <= MAX_UNIT ? name : 'St';
}

function paragraph(text: string): string {
  return element('p', [element('span', line(text))]);
}

/** Texts of the format have no line breaks and tabs. */
function line(text: string, maxCharacters = Infinity): string {
  return text.replaceAll(/\s/g, ' ').slice(0, maxCharacters);
}
