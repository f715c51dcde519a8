import { compareRows, type CompareRow } from '#catalogue/facets/compare-rows.ts';
import type { FamilyTable, TableProduct } from '#catalogue/facets/family-table.ts';

export interface ComparisonTexts {
  undeclared: string;
  differs: string;
}

/**
 * The lines of a table of products, as the page is built with the first of them: `components/facets/CompareTable.astro`.
 * @param corner What stands above the names of the lines.
 * @param remove Makes the button that takes a product out.
 */
export function writeComparison(
  family: FamilyTable,
  places: readonly number[],
  { corner, texts, remove }: { corner: Node; texts: ComparisonTexts; remove: (product: TableProduct) => Node },
): { head: HTMLElement; body: HTMLElement[] } {
  const products = places.flatMap((place) => family.products[place] ?? []);
  return {
    head: element('tr', corner, ...products.map((product) => writeHead(product, remove(product)))),
    body: compareRows(family, places).map((row) => writeRow(row, products, texts)),
  };
}

function writeHead({ name, path, item, lang }: TableProduct, button: Node): HTMLElement {
  const link = element('a', name);
  link.href = path;
  if (lang) link.lang = lang;
  const cell = element('th', link, element('small', item), button);
  cell.scope = 'col';
  return cell;
}

function writeRow(
  { name, norm, cells, differs }: CompareRow,
  products: readonly TableProduct[],
  texts: ComparisonTexts,
): HTMLElement {
  const head = element('th', ...(differs ? [writeMark(texts.differs)] : []), name);
  head.scope = 'row';
  if (norm) head.append(element('small', norm));
  const row = element('tr', head, ...cells.map((values, i) => writeCell(values, products[i], texts.undeclared)));
  row.classList.toggle('differs', differs);
  return row;
}

function writeMark(label: string): HTMLElement {
  const mark = element('span', '≠');
  mark.className = 'compare__mark';
  mark.role = 'img';
  mark.ariaLabel = label;
  return mark;
}

/** Names its product, too: where there is no room for a column each, values stand below their line. */
function writeCell(
  values: CompareRow['cells'][number],
  product: TableProduct | undefined,
  undeclared: string,
): HTMLElement {
  const label = element('small', product?.name ?? '');
  label.className = 'compare__product';
  if (product?.lang) label.lang = product.lang;
  if (values.length === 0) {
    const [sign, words] = [element('span', '–'), element('span', undeclared)];
    sign.ariaHidden = 'true';
    words.className = 'visually-hidden';
    return element('td', label, sign, words);
  }
  return element(
    'td',
    label,
    ...values.map(({ text, lang }) => {
      const span = element('span', text);
      if (lang) span.lang = lang;
      return span;
    }),
  );
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}
