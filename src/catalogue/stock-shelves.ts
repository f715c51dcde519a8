import type { ListedEntry } from '../loaders/entries.ts';

export interface Family {
  id: string;
  name: string;
  description?: string | undefined;
}

/** A family and its products; without a family at the end, what belongs to none. */
export interface Shelf {
  family: Family | undefined;
  products: readonly ListedEntry[];
}

/** Puts products on shelves in the order of the families; empty shelves are left out. */
export function stockShelves(products: readonly ListedEntry[], families: readonly Family[]): Shelf[] {
  const known = new Set(families.map(({ id }) => id));
  const byFamily = Map.groupBy(products, ({ family }) => (family && known.has(family) ? family : undefined));
  return [...families, undefined].flatMap((family) => {
    const stock = byFamily.get(family?.id);
    return stock ? [{ family, products: stock }] : [];
  });
}
