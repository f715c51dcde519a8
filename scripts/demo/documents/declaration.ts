import { toBcp47 } from '#contracts/product/index.ts';
import type { DemoProduct } from '#origin/admin/seed/demo-content.ts';
import { rule, setSection, setText, STYLES, TEXT } from './blocks.ts';
import { declarationWords, fill, MAKER } from './document-words.ts';
import { drawLetterhead } from './letterhead.ts';
import { drawStamp, setMark } from './mark.ts';
import { DOCUMENT_DATE, openSheet, PAGE } from './sheet.ts';
import { setTable } from './table.ts';

const VAPOUR: Specification = {
  norm: 'EN 13984:2013',
  system: '3',
  use: {
    de: 'Kunststoffbahn zur Regelung der Wasserdampfdiffusion in Gebäuden',
    en: 'Plastic vapour control layer for buildings',
    fr: 'Pare-vapeur et frein-vapeur en matière plastique pour bâtiments',
  },
};

const INSULATION: Specification = {
  norm: 'EN 13171:2012+A1:2015',
  system: '3',
  use: {
    de: 'Wärmedämmung für Gebäude aus Holzfasern (WF)',
    en: 'Thermal insulation for buildings made of wood fibre (WF)',
    fr: 'Isolation thermique du bâtiment en fibres de bois (WF)',
  },
};

/** By item number of the first product that a declaration covers. */
const SPECIFICATIONS: Readonly<Record<string, Specification>> = {
  'HW-10510': {
    norm: 'EN 13859-1:2014',
    system: '3',
    use: {
      de: 'Unterdeck- und Unterspannbahn für Dachdeckungen',
      en: 'Underlay for discontinuous roofing',
      fr: 'Écran souple de sous-toiture pour couvertures en petits éléments discontinus',
    },
  },
  'HW-10620': {
    norm: 'EN 13859-2:2014',
    system: '3',
    use: { de: 'Unterdeckbahn für Wände', en: 'Underlay for walls', fr: 'Écran pare-pluie pour murs' },
  },
  'HW-10780': {
    norm: 'EN 13969:2004+A1:2006',
    system: '2+',
    use: {
      de: 'Bitumenbahn für die Bauwerksabdichtung gegen Bodenfeuchte',
      en: 'Bitumen damp-proof sheet including basement tanking sheet',
      fr: 'Feuille bitumineuse pour empêcher les remontées d’humidité du sol',
    },
  },
  'HW-40229': {
    norm: 'EN 15651-1:2012',
    system: '3',
    use: {
      de: 'Dichtstoff für Fassadenelemente, innen und außen, auch für kalte Klimazonen',
      en: 'Sealant for façade elements, interior and exterior use, cold climates included',
      fr: 'Mastic pour éléments de façade, intérieur et extérieur, y compris climats froids',
    },
  },
  'HW-60116': INSULATION,
  'HW-60260': INSULATION,
};

export interface DeclarationOptions {
  /** Number of the declaration, such as `DOP-HW-0110`. */
  number: string;
  /** All products that share the declaration, in one language; at least one. */
  products: readonly DemoProduct[];
  /** Colour of the product line. */
  accent: string;
}

/** A declaration of performance in ten points, clearly marked as not valid, as PDF. */
export async function drawDeclaration({ number, products, accent }: DeclarationOptions): Promise<Buffer> {
  const [product] = products;
  if (!product) throw new Error(`The declaration ${number} covers no product`);
  const words = declarationWords(product.language);
  const names = products.map(({ name }) => name).join(', ');
  const { norm, system, use } = specificationOf(product.item_number);
  const sheet = openSheet({
    title: `${words.kind} ${number} – ${names}`,
    subject: names,
    language: product.language,
    underlay: (page) => drawStamp(page, words.stamp),
  });

  setText(
    sheet,
    words.kind,
    { x: PAGE.left, width: 480 },
    { size: 25, leading: 30, weight: 600, color: '#1c2b33' },
    'H1',
  );
  sheet.y += 2;
  setText(
    sheet,
    `${words.number} ${number}`,
    { x: PAGE.left, width: 480 },
    { size: 12.4, leading: 17, weight: 500, color: '#667077' },
  );
  sheet.y += 14;
  setMark(sheet, words.mark);

  const point = (index: number, text: string | readonly string[]) =>
    setSection(sheet, `${index}. ${words.points[index - 1] ?? ''}`, () => {
      for (const line of [text].flat()) setText(sheet, line, TEXT, STYLES.body);
    });
  point(
    1,
    products.map(({ name, item_number }) => `${name} · ${item_number}`),
  );
  point(2, words.batch);
  point(3, use[useLanguage(product.language)]);
  point(4, [MAKER.name, MAKER.street, `${MAKER.postal_code} ${MAKER.city} (${MAKER.country})`, MAKER.email]);
  point(5, words.none);
  point(6, fill(words.system, { number: system }));
  point(7, words.notified);
  point(8, words.none);

  setSection(
    sheet,
    `9. ${words.points[8]}`,
    () => setText(sheet, fill(words.harmonised, { norm }), TEXT, STYLES.body),
    140,
  );
  setTable(
    sheet,
    [
      { heading: words.characteristic, share: 0.5 },
      { heading: words.performance, share: 0.27 },
      { heading: words.method, share: 0.23 },
    ],
    product.attributes.filter((attribute) => attribute.norm).map(({ name, value, norm: test }) => [name, value, test]),
    accent,
  );
  point(10, words.conformity);

  sheet.ensure(64);
  sheet.y += 20;
  const date = new Intl.DateTimeFormat(toBcp47(product.language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    DOCUMENT_DATE,
  );
  sheet.artifact(() => rule(sheet, sheet.y, 0.6, '#1c2b33', { x: TEXT.x, width: 200 }));
  sheet.y += 4;
  setText(sheet, `${words.signed} ${date} · ${MAKER.name}`, TEXT, STYLES.small);
  return sheet.finish((page, pages) =>
    drawLetterhead(
      sheet,
      { kind: `${words.kind} ${number}`, accent, note: words.note, pageLabel: words.page },
      page,
      pages,
    ),
  );
}

function useLanguage(language: string): keyof Specification['use'] {
  const short = language.slice(0, 2);
  return short === 'de' || short === 'fr' ? short : 'en';
}

/** The harmonised norm of a product family: what its declaration of performance rests on. */
interface Specification {
  norm: string;
  /** System of assessment and verification of constancy of performance. */
  system: string;
  use: { de: string; en: string; fr: string };
}

function specificationOf(itemNumber: string): Specification {
  return SPECIFICATIONS[itemNumber] ?? VAPOUR;
}
