import {
  MAX_COMPARED,
  compareRows,
  type CompareRow,
  type FamilyTable,
  type TableProduct,
} from '#catalogue/facets/family-table.ts';
import { createElement, fillText, findElement, readJson } from '../find-element.ts';
import { updateLanguageLinks, pushQuery } from '../page-query.ts';

/** Starts the product selection of the comparison. Without scripts or a selection, the first products are compared. */
export async function startCompare(): Promise<void> {
  const form = findElement(document, '#compare-choice', HTMLFormElement);
  const family = await readJson<FamilyTable>(form.dataset['table'] ?? '').catch(() => undefined);
  if (!family) return;
  runCompare(form, family);
  form.hidden = false;
}

function runCompare(form: HTMLFormElement, family: FamilyTable): void {
  const format = new Intl.NumberFormat(document.documentElement.lang).format;
  const region = findElement(document, '.compare__region', HTMLElement);
  const head = findElement(region, 'thead', HTMLTableSectionElement);
  const body = findElement(region, 'tbody', HTMLTableSectionElement);
  const corner = findElement(head, 'th', HTMLTableCellElement);
  const status = findElement(form, '[role=status]', HTMLElement);
  const select = findElement(form, 'select', HTMLSelectElement);
  const adding = [findElement(form, 'label', HTMLElement), findElement(form, 'button', HTMLElement)];
  const all = findElement(form, 'a', HTMLAnchorElement);
  const template = findElement(form, 'template', HTMLTemplateElement);
  const total = findElement(document, '#compare-all', HTMLElement);
  const texts = { undeclared: region.dataset['undeclared'] ?? '', differs: region.dataset['differs'] ?? '' };
  const built = {
    head: [...head.children],
    body: [...body.children],
    products: head.querySelectorAll('th').length - 1,
  };
  /** A small family is compared as a whole. */
  const whole = family.products.length <= MAX_COMPARED ? family.products.map(({ gtin }) => gtin) : [];
  let chosen: string[] = [];

  const choice = (): URLSearchParams => new URLSearchParams(chosen.length > 0 ? { p: chosen.join(',') } : {});
  const show = (): void => {
    total.hidden = chosen.length > 0;
    all.hidden = chosen.length === 0 || chosen.length === family.products.length;
    if (chosen.length === 0) {
      head.replaceChildren(...built.head);
      body.replaceChildren(...built.body);
    } else {
      const indexes = chosen.map((gtin) => family.products.findIndex((product) => product.gtin === gtin));
      const products = indexes.flatMap((index) => family.products[index] ?? []);
      const heads = products.map((product) => writeHead(product, removeButton(product)));
      head.replaceChildren(createElement('tr', {}, corner.cloneNode(true), ...heads));
      body.replaceChildren(...compareRows(family, indexes).map((row) => writeRow(row, products, texts)));
    }
    const rest = family.products.filter(({ gtin }) => !chosen.includes(gtin));
    select.replaceChildren(...rest.map(({ gtin, name, item }) => new Option(`${name} (${item})`, gtin)));
    const isFull = rest.length === 0 || chosen.length >= MAX_COMPARED;
    for (const control of adding) control.hidden = isFull;
    const limit = format(MAX_COMPARED);
    if (chosen.length === 0) fillText(status, { count: format(built.products), limit }, status.dataset['none']);
    else fillText(status, { count: format(chosen.length), limit });
    updateLanguageLinks(choice());
  };
  const choose = (gtins: string[]): void => {
    chosen = gtins;
    pushQuery(choice());
    show();
  };
  const removeButton = ({ gtin, name }: TableProduct): Node => {
    const copy = document.importNode(template.content, true);
    const button = findElement(copy, 'button', HTMLButtonElement);
    button.ariaLabel = (form.dataset['remove'] ?? '').replace('{name}', () => name);
    button.addEventListener('click', () => {
      choose(chosen.filter((other) => other !== gtin));
      // The focused button was removed.
      region.focus();
    });
    return copy;
  };
  const readAddress = (): void => {
    const requested = chosenProducts(family.products, new URLSearchParams(location.search));
    chosen = requested.length > 0 ? requested : whole;
    show();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (select.value) choose([...chosen, select.value]);
    // The focused button may be hidden now.
    if (select.closest('[hidden]')) region.focus();
  });
  addEventListener('popstate', readAddress);
  readAddress();
}

/** Renders the head of a column. All cells have the markup of `pages/[language]/products/[family]/compare.astro`. */
function writeHead({ name, path, item, lang }: TableProduct, button: Node): HTMLElement {
  const link = createElement('a', { href: path, ...(lang && { lang }) }, name);
  return createElement('th', { scope: 'col' }, link, createElement('small', {}, item), button);
}

function writeRow(
  { name, norm, cells, differs }: CompareRow,
  products: readonly TableProduct[],
  texts: { undeclared: string; differs: string },
): HTMLElement {
  const mark = createElement('span', { className: 'compare__mark', role: 'img', ariaLabel: texts.differs }, '≠');
  const head = createElement('th', { scope: 'row' }, ...(differs ? [mark] : []), name);
  if (norm) head.append(createElement('small', {}, norm));
  const data = cells.map((values, i) => writeCell(values, products[i], texts.undeclared));
  const row = createElement('tr', {}, head, ...data);
  row.classList.toggle('differs', differs);
  return row;
}

/** Includes the product's name: on narrow screens, values are stacked below their row. */
function writeCell(
  values: CompareRow['cells'][number],
  product: TableProduct | undefined,
  undeclared: string,
): HTMLElement {
  const label = createElement('small', { className: 'compare__product' }, product?.name ?? '');
  if (product?.lang) label.lang = product.lang;
  const content =
    values.length === 0
      ? [
          createElement('span', { ariaHidden: 'true' }, '–'),
          createElement('span', { className: 'visually-hidden' }, undeclared),
        ]
      : values.map(({ text, lang }) => createElement('span', lang ? { lang } : {}, text));
  return createElement('td', {}, label, ...content);
}

/** Parses `p=9524010000016,9524010000030` or repeated parameters: unique GTINs of products in the table. */
export function chosenProducts(products: readonly Pick<TableProduct, 'gtin'>[], query: URLSearchParams): string[] {
  const known = new Set(products.map(({ gtin }) => gtin));
  const requested = query.getAll('p').flatMap((list) => list.split(','));
  return [...new Set(requested)].filter((gtin) => known.has(gtin)).slice(0, MAX_COMPARED);
}
