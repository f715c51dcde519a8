import type { ListedEntry } from '#model/entries.ts';
import type { ProductIndex } from '../port/product-index.ts';
import type { ListedGroup } from '../port/listed-rows.ts';
import { noteAnswer, question, type Source } from '../port/reads.ts';

/** What product groups are made of: families have names and places in languages. */
export const LISTED: readonly Source[] = ['lists', 'families', 'languages'];

/** Rows of a family that the list of all products shows; the rest stands on the family's own pages. */
export const GROUP_HEAD = 12;

export interface Family {
  id: string;
  name: string;
  description?: string | undefined;
}

/** A family and its products; without a family at the end, what belongs to none. Products are read when asked for. */
export interface ProductGroup extends Omit<ListedGroup, 'productGroup' | 'documentsDigest'> {
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
    const { productGroup, documentsDigest: _, ...known } = found;
    return recordGroup(language, {
      ...known,
      family,
      get products() {
        return productIndex.productGroup(language, productGroup);
      },
      head: (limit) => productIndex.head(language, productGroup, limit),
      get first() {
        return productIndex.product(language, known.firstGtin);
      },
    });
  });
}

const FIELDS = [
  'count',
  'highlights',
  'image',
  'firstGtin',
  'isMeasured',
  'facets',
  'products',
  'first',
] as const satisfies readonly (keyof ProductGroup)[];

interface Groups {
  productGroups(language: string): readonly ProductGroup[];
}

const groupIn = (site: Groups, language: string, id: string) =>
  site.productGroups(language).find(({ family }) => (family?.id ?? '') === id);

question(
  'productGroup',
  LISTED,
  (site: Groups, language: string, id: string, field: (typeof FIELDS)[number]) => groupIn(site, language, id)?.[field],
);
question('productGroupHead', LISTED, (site: Groups, language: string, id: string, limit: number) =>
  groupIn(site, language, id)?.head(limit),
);

/** The same product group, of which is noted what each page reads. In an answer it stands for its family alone. */
function recordGroup(language: string, productGroup: ProductGroup): ProductGroup {
  const { family, head } = productGroup;
  const id = family?.id ?? '';
  const recorded = {
    family,
    head: (limit: number) => noteAnswer('productGroupHead', [language, id, limit], () => head(limit)),
  };
  const fields = FIELDS.map((field) => [
    field,
    { enumerable: true, get: () => noteAnswer('productGroup', [language, id, field], () => productGroup[field]) },
  ]);
  const toJSON = { value: () => [language, family] };
  return Object.defineProperties(recorded, { ...Object.fromEntries(fields), toJSON }) as ProductGroup;
}
