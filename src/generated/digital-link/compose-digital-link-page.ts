import { absoluteUrl } from '#catalogue/addresses/absolute-url.ts';
import { linksetPath, productPath } from '#catalogue/addresses/paths.ts';
import { escapeHtml } from '#contracts/html/index.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import { textDirection } from '#i18n/index.ts';
import type { ListedEntry } from '#model/entries.ts';
import type { PageShell } from '../page-shell.ts';

/**
 * Where the code on a product leads: a host that only has files can't tell the reader's language, so the reader
 * chooses, unless there is only one. Search engines are sent to the page of the main language.
 * @param products Pages of the product, that of the main language first.
 */
export function composeDigitalLinkPage(
  products: readonly ListedEntry[],
  { shell, languages, site }: { shell: PageShell; languages: readonly { code: string; name: string }[]; site: URL },
): string {
  const [first] = products;
  if (!first) throw new Error('A Digital Link is one of a product.');
  const linkset = linksetPath(first.gtin);
  const head = [
    `<link rel="canonical" href="${escapeHtml(absoluteUrl(pathOf(first), site))}">`,
    `<link rel="linkset" type="application/linkset+json" href="${linkset}">`,
    // At once, so that nobody is moved while reading (WCAG 2.2, 2.2.1 and 3.2.5).
    products.length === 1 ? `<meta http-equiv="refresh" content="0; url=${escapeHtml(pathOf(first))}">` : '',
  ].join('');
  const nameOf = (code: string) => languages.find((language) => language.code === code)?.name ?? code;
  const choices = languages
    .flatMap(({ code }) => products.find(({ pageLanguage }) => pageLanguage === code) ?? [])
    .map((product) => {
      const { pageLanguage: code, name } = product;
      const lang = toBcp47(code);
      return (
        `<li lang="${lang}" dir="${textDirection(lang)}"><h2><a href="${escapeHtml(pathOf(product))}" hreflang="${lang}">` +
        `${escapeHtml(nameOf(code))}</a></h2><p>${escapeHtml(name)}</p></li>`
      );
    });
  const main =
    `<h1>${escapeHtml(first.name)}</h1><p>GTIN ${first.gtin}</p>` +
    `<ul class="language-list">${choices.join('')}</ul>`;
  return shell.wrap({ lang: toBcp47(first.language), title: first.name, head, main });
}

function pathOf({ pageLanguage, slug }: ListedEntry): string {
  return productPath(pageLanguage, slug);
}
