import { familyPath, homePath, productsPath } from '#catalogue/addresses/paths.ts';
import type { Crumb } from '#catalogue/json-ld/site-json-ld.ts';
import type { Family } from '#catalogue/site/product-groups.ts';
import type { Ui } from '#i18n/index.ts';

/** Returns the breadcrumb from the home page to a family, and to a page below it. */
export function familyCrumbs({ t, language }: Ui, { id, name }: Family, ...below: Crumb[]): Crumb[] {
  return [
    { name: t('nav.home'), path: homePath(language) },
    { name: t('nav.products'), path: productsPath(language) },
    { name, path: familyPath(language, id) },
    ...below,
  ];
}
