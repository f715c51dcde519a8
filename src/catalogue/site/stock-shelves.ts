import type { ListedEntry } from '#model/entries.ts';
import type { Listing } from '../port/listing.ts';
import type { ListedShelf } from '../port/listed-rows.ts';

/** Rows of a family that the list of all products shows; the rest stands on the family's own pages. */
export const SHELF_HEAD = 12;

export interface Family {
  id: string;
  name: string;
  description?: string | undefined;
}

/** A family and its products; without a family at the end, what belongs to none. Products are read when asked for. */
export interface Shelf extends Omit<ListedShelf, 'shelf'> {
  family: Family | undefined;
  /** All of them. */
  readonly products: readonly ListedEntry[];
  /** The first of them. */
  head(limit: number): readonly ListedEntry[];
  /** The product that stands for all: the first that can be delivered, or else the first. */
  readonly first: ListedEntry | undefined;
}

/** A shelf that is a family's. */
export interface FamilyShelf {
  family: Family;
  shelf: Shelf;
}

/** Shelves of a language in the order of the families; empty ones are left out. */
export function stockShelves(
  listing: Pick<Listing, 'shelves' | 'shelf' | 'head' | 'product'>,
  language: string,
  families: readonly Family[],
): Shelf[] {
  const listed = new Map(listing.shelves(language).map((found) => [found.shelf, found]));
  return [...families, undefined].flatMap((family): Shelf | [] => {
    const found = listed.get(family?.id ?? '');
    if (!found) return [];
    const { shelf, ...known } = found;
    return {
      ...known,
      family,
      get products() {
        return listing.shelf(language, shelf);
      },
      head: (limit) => listing.head(language, shelf, limit),
      get first() {
        return listing.product(language, known.firstGtin);
      },
    };
  });
}
