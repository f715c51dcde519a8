import type { UnitName } from '#contracts/localized.ts';
import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import { countedPackages } from '../products/product-view.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import { findGroup } from '../site/family-pages.ts';
import { GROUP_SOURCES } from '../site/product-groups.ts';
import type { Site } from '../site/load-site.ts';
import { materialNeed, type MaterialNeed, type PackageUnit } from './material-need.ts';

/** Product data for the calculator. `products/<family>/calculator.json` is a list of these. */
export interface CalculatorProduct extends Omit<MaterialNeed, 'unit'> {
  /** Unit of the amount that a visitor enters. */
  measuredIn: MaterialNeed['unit'];
  gtin: string;
  name: string;
  /** BCP 47 tag of the name and the units, if it differs from the page's language. */
  lang?: string | undefined;
  unit: UnitName;
  packages: PackageUnit[];
}

/** Returns the IDs of the families with at least one product whose need can be calculated. */
export const calculatorFamilies = trackedQuery(
  'calculatorFamilies',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups' | 'covering' | 'product'>, language: string): Set<string> => {
    const covered = site.covering().flatMap((gtin) => site.product(language, gtin)?.family ?? []);
    const measured = site
      .productGroups(language)
      .flatMap(({ family, isMeasured }) => (family && (isMeasured || covered.includes(family.id)) ? [family.id] : []));
    return new Set(measured);
  },
);

export interface ProductNeed {
  product: ProductListEntry;
  need: MaterialNeed;
}

/** Returns the products of a family whose need can be calculated. */
export function listProductNeeds(
  site: Pick<Site, 'productGroups' | 'additions'>,
  language: string,
  family: string,
): ProductNeed[] {
  return (findGroup(site, language, family)?.products ?? []).flatMap((product) => {
    const need = materialNeed(product, site.additions(language, product.gtin));
    return need ? { product, need } : [];
  });
}

export function toCalculatorProduct(
  { product, need: { unit: measuredIn, ...need } }: ProductNeed,
  ui: { langOf: (language: string) => string | undefined; unit: (word: string, language: string) => UnitName },
): CalculatorProduct {
  const unit = (word: string) => ui.unit(word, product.language);
  const packages = countedPackages(product, unit);
  const lang = ui.langOf(product.language);
  const { gtin, name, trade_unit: word } = product;
  return { gtin, name, ...(lang && { lang }), unit: unit(word), packages, measuredIn, ...need };
}
