import type { ListedEntry } from '#model/entries.ts';
import type { ProductIndex } from '../port/product-index.ts';
import type { ListedGroup } from '../port/listed-rows.ts';

/** Rows of a family that the list of all products shows; the rest stands on the family's own pages. */
export const GROUP_HEAD = 12;

export interface Family {
  id: string;
  name: string;
  description?: string | undefined;
}

/** A family and its products; without a family at the end, what belongs to none. Products are read when asked for. */
export interface ProductGroup extends Omit<ListedGroup, 'productGroup'> {
  family: Family | undefined;
  /** All of them. */
  readonly products: readonly ListedEntry[];
  /** The first of them. */
  head(limit: number): readonly ListedEntry[];
  /** The product that stands for all: the first that can be delivered, or else the first. */
  readonly first: ListedEntry | undefined;
}

/** A product group that is a family's. */
export interface FamilyGroup {
  family: Family;
  productGroup: ProductGroup;
}

/** Product groups of a language in the order of the families; empty ones are left out. */
export function productGroupsOf(
  productIndex: Pick<ProductIndex, 'productGroups' | 'productGroup' | 'head' | 'product'>,
  language: string,
  families: readonly Family[],
): ProductGroup[] {
  const listed = new Map(productIndex.productGroups(language).map((found) => [found.productGroup, found]));
  return [...families, undefined].flatMap((family): ProductGroup | [] => {
    const found = listed.get(family?.id ?? '');
    if (!found) return [];
    const { productGroup, ...known } = found;
    return {
      ...known,
      family,
      get products() {
        return productIndex.productGroup(language, productGroup);
      },
      head: (limit) => productIndex.head(language, productGroup, limit),
      get first() {
        return productIndex.product(language, known.firstGtin);
      },
    };
  });
}
