import type { FamilyTable, TableValue } from '#catalogue/facets/family-table.ts';
import { findElement } from '../find-element.ts';

/** Values beside the item number. */
const MAX_VALUES = 3;

/**
 * A row of the results.
 * @param order Columns by how much they matter here; of those that stand together, one is shown.
 */
export function writeRow(
  template: HTMLTemplateElement,
  { products, columns }: FamilyTable,
  place: number,
  order: readonly (readonly string[])[],
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
  const written = new Set<string>();
  for (const ids of order) {
    if (values.children.length > MAX_VALUES) break;
    const declaring = ids
      .filter((id) => !written.has(id))
      .flatMap((id) => columns.find((column) => column.id === id) ?? [])
      .map((column) => ({ column, declared: (column.of[place] ?? []).flatMap((value) => column.values[value] ?? []) }))
      .filter(({ declared }) => declared.length > 0);
    // A range goes before the single value of the same property, as in `catalogue/products/key-values.ts`.
    const { column, declared } = declaring.find(({ declared: some }) => some.some(isRange)) ?? declaring[0] ?? {};
    if (!column || !declared) continue;
    written.add(column.id);
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

function isRange({ low, high }: TableValue): boolean {
  return low !== undefined && high !== undefined && low < high;
}
