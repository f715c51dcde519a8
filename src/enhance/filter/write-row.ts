import type { FamilyTable } from '../../catalogue/facets/family-table.ts';
import { findElement } from '../find-element.ts';

/** Values beside the item number. */
const MAX_VALUES = 3;

/**
 * A row of the results.
 * @param order Columns by how much they matter here; undefined ones are passed over.
 */
export function writeRow(
  template: HTMLTemplateElement,
  { products, columns }: FamilyTable,
  place: number,
  order: readonly (string | undefined)[],
): Node {
  const row = document.importNode(template.content, true);
  const product = products[place];
  if (!product) return row;
  const link = findElement(row, 'a', HTMLAnchorElement);
  link.href = product.path;
  link.textContent = product.name;
  if (product.lang) link.lang = product.lang;
  findElement(row, 'dd', HTMLElement).textContent = product.item;
  findElement(row, 'input', HTMLInputElement).value = product.gtin;
  findElement(row, '.visually-hidden', HTMLElement).textContent = product.name;
  const values = findElement(row, 'dl', HTMLElement);
  const pattern = findElement(values, 'div', HTMLElement);
  for (const id of new Set(order)) {
    if (values.children.length > MAX_VALUES) break;
    const column = columns.find((some) => some.id === id);
    const declared = (column?.of[place] ?? []).flatMap((value) => column?.values[value] ?? []);
    if (!column || declared.length === 0) continue;
    const entry = pattern.cloneNode(true);
    if (!(entry instanceof HTMLElement)) continue;
    findElement(entry, 'dt', HTMLElement).textContent = column.name;
    const text = findElement(entry, 'dd', HTMLElement);
    text.textContent = declared.map((value) => value.text).join(', ');
    if (declared[0]?.lang) text.lang = declared[0].lang;
    values.append(entry);
  }
  return row;
}
