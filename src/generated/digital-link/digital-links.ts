import { fileAt } from '#catalogue/addresses/base.ts';
import { labelLanguages } from '#catalogue/languages/label-languages.ts';
import { digitalLinkPath, linksetPath } from '#catalogue/addresses/paths.ts';
import { recordPath } from '#catalogue/addresses/shop-paths.ts';
import type { ListedEntry } from '#model/entries.ts';
import { splitPlace } from '#product-index/update-product-index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import { pageShell, SHELL_PAGE } from '../page-shell.ts';
import { composeDigitalLinkPage } from './compose-digital-link-page.ts';
import { composeLinkset } from './compose-linkset.ts';

/**
 * Files for GS1 Digital Links, `/01/<GTIN-14>`: ready for them, not a GS1-conformant resolver, which a host without
 * rules can't be. What is no longer offered keeps its own, for codes outlive the range.
 */
export const digitalLinks: FileGenerator = {
  name: 'digital link',
  takesChanges: true,
  update: (context) => {
    const { settings, productIndex, changes, put, remove, readProduct, readPage, ui } = context;
    const site = new URL(settings.siteUrl);
    const recordPathOf = ({ pageLanguage, gtin, fallback, archived }: ListedEntry) =>
      settings.options.shops.records && !fallback && !archived ? recordPath(pageLanguage, gtin) : undefined;
    const shell = pageShell(readPage(SHELL_PAGE) ?? '', settings.options.site.name);
    const languages = labelLanguages(context.languages);
    const around = JSON.stringify([shell.key, languages]);
    for (const { gtin, digests } of changes ? changedProducts(context) : productIndex.digests()) {
      const [pageFile, linksetFile] = [`${digitalLinkPath(gtin)}index.html`, linksetPath(gtin)].map((place) =>
        fileAt(place),
      );
      if (!pageFile || !linksetFile) continue;
      if (digests === undefined) {
        remove(pageFile);
        remove(linksetFile);
        continue;
      }
      const products = () => choosePages(context, gtin);
      put(pageFile, () => composeDigitalLinkPage(products(), { shell, languages, site }), `${digests} ${around}`);
      put(
        linksetFile,
        () => {
          const linkset = composeLinkset({ products: products().map(readProduct), site, ui, recordPathOf });
          return `${JSON.stringify(linkset)}\n`;
        },
        digests,
      );
    }
  },
};

function* changedProducts({
  changes,
  productIndex,
}: GeneratorContext): Iterable<{ gtin: string; digests: string | undefined }> {
  const gtins = new Set([...(changes?.products ?? [])].map((place) => splitPlace(place).rest));
  for (const gtin of gtins) yield { gtin, digests: productIndex.digestsOfProduct(gtin) };
}

/** Real translations, that of the main language first; where there are none, whatever page there is. */
function choosePages({ productIndex, languages, settings }: GeneratorContext, gtin: string): ListedEntry[] {
  const { mainLanguage } = settings.options;
  const pages = languages.flatMap(({ code }) => productIndex.product(code, gtin) ?? []);
  const translated = pages.filter(({ fallback }) => !fallback);
  const chosen = translated.length > 0 ? translated : pages;
  return chosen.toSorted((a, b) => Number(b.pageLanguage === mainLanguage) - Number(a.pageLanguage === mainLanguage));
}
