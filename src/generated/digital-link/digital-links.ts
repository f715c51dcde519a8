import { absoluteUrl, outputPath } from '#catalogue/addresses/site-paths.ts';
import { digitalLink, recordPath } from '#catalogue/addresses/shop-paths.ts';
import { digitalLinkPath, linksetPath, productPath, rootPath } from '#catalogue/addresses/paths.ts';
import { hasLanguage } from '#contracts/product/document-kinds.ts';
import { labelLanguages } from '#catalogue/languages/label-languages.ts';
import { pictureSources } from '#catalogue/images/image-variants.ts';
import { escapeHtml } from '#contracts/html/html-text.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import { textDirection } from '#i18n/index.ts';
import type { ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import { splitGroupKey } from '#catalogue/read-model/update-product-index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import { pageShell, type PageShell } from '../page-shell.ts';

/** Namespace of GS1's Web Vocabulary 1.16. Older documents use `https://gs1.org/voc/`. */
const GS1 = 'https://ref.gs1.org/voc/';

/** Link types for which a catalogue has content. */
const LINK_TYPES = {
  default: `${GS1}defaultLink`,
  defaultMulti: `${GS1}defaultLinkMulti`,
  page: `${GS1}pip`,
  image: `${GS1}relatedImage`,
  /** Data about the product for machines. */
  data: `${GS1}masterData`,
  safety: `${GS1}safetyInfo`,
  certification: `${GS1}certificationInfo`,
  sustainability: `${GS1}sustainabilityInfo`,
} as const;

/** Kinds of documents with a type of GS1. Others, such as datasheets, count as product information. */
const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  safety_datasheet: LINK_TYPES.safety,
  declaration_of_performance: LINK_TYPES.certification,
  dopc: LINK_TYPES.certification,
  epd: LINK_TYPES.sustainability,
};

/**
 * Generates files for GS1 Digital Links, `/01/<GTIN-14>`. They aren't a GS1-conformant resolver, which requires server
 * rules. Discontinued products keep their files, because printed codes stay in use.
 */
export const digitalLinks: FileGenerator = {
  name: 'digital link',
  takesChanges: true,
  update: (context) => {
    const { settings, productIndex, changes, put, remove, readProduct, readPage } = context;
    // The language chooser provides the layout.
    const shell = pageShell(readPage(`${outputPath(rootPath())}index.html`) ?? '', settings.options.site.name);
    const languages = labelLanguages(context.languages);
    const around = JSON.stringify([shell.key, languages]);
    const changed = changes && new Set([...changes.products].map((key) => splitGroupKey(key).rest));
    const stale = changed && [...changed].map((gtin) => ({ gtin, digests: productIndex.digestsOfProduct(gtin) }));
    for (const { gtin, digests } of stale ?? productIndex.digests()) {
      const pageFile = outputPath(`${digitalLinkPath(gtin)}index.html`);
      const linksetFile = outputPath(linksetPath(gtin));
      if (digests === undefined) {
        remove(pageFile);
        remove(linksetFile);
        continue;
      }
      const products = () => choosePages(context, gtin);
      put(pageFile, () => composeDigitalLinkPage(products(), shell, languages, context), `${digests} ${around}`);
      const linkset = () => composeLinkset(products().map(readProduct), context);
      put(linksetFile, () => `${JSON.stringify(linkset())}\n`, digests);
    }
  },
};

/** Returns the translated pages, the main language first. Falls back to all pages if none is translated. */
function choosePages({ productIndex, languages, settings }: GeneratorContext, gtin: string): ProductListEntry[] {
  const { mainLanguage } = settings.options;
  const pages = languages.flatMap(({ code }) => productIndex.product(code, gtin) ?? []);
  const translated = pages.filter(({ fallback }) => !fallback);
  const chosen = translated.length > 0 ? translated : pages;
  return chosen.toSorted((a, b) => Number(b.pageLanguage === mainLanguage) - Number(a.pageLanguage === mainLanguage));
}

/**
 * Renders the target of the code on a product. A static host can't negotiate the language, so visitors choose it,
 * unless there is only one. The canonical URL is the page in the main language.
 * @param products Pages of the product, the main language first.
 */
function composeDigitalLinkPage(
  products: readonly ProductListEntry[],
  shell: PageShell,
  languages: readonly { code: string; name: string }[],
  { settings, overlays }: GeneratorContext,
): string {
  const [first] = products;
  if (!first) throw new Error('A Digital Link requires at least one product page.');
  // Search engines may list it.
  const listed = products.find(({ pageLanguage, gtin }) => !overlays.isHidden(pageLanguage, gtin));
  const linkset = linksetPath(first.gtin);
  const head = [
    listed
      ? `<link rel="canonical" href="${escapeHtml(absoluteUrl(pathOf(listed), new URL(settings.siteUrl)))}">`
      : '<meta name="robots" content="noindex">',
    `<link rel="linkset" type="application/linkset+json" href="${linkset}">`,
    // Redirects immediately, so that visitors aren't moved while reading (WCAG 2.2, 2.2.1 and 3.2.5).
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

function pathOf({ pageLanguage, slug }: ProductListEntry): string {
  return productPath(pageLanguage, slug);
}

interface Link {
  href: string;
  title: string;
  type?: string;
  hreflang?: string[];
}

/**
 * Creates the linkset of a product in JSON (RFC 9264, 4.2) with link types of GS1's Web Vocabulary, as GS1-Conformant
 * Resolvers return it (standard 1.2, chapter 7).
 * @param products Pages of the product, the main language first.
 */
function composeLinkset(
  products: readonly ProductEntry[],
  { settings, ui }: Pick<GeneratorContext, 'settings' | 'ui'>,
): object {
  const [first] = products;
  if (!first) throw new Error('A linkset requires at least one product page.');
  const site = new URL(settings.siteUrl);
  const relations: Record<string, Link[]> = {};
  const add = (type: string, link: Link): void => {
    const links = (relations[type] ??= []);
    if (!links.some(({ href }) => href === link.href)) links.push(link);
  };
  const addressOf = ({ pageLanguage, slug }: ProductEntry) => absoluteUrl(productPath(pageLanguage, slug), site);
  // GS1 allows only a title here.
  add(LINK_TYPES.default, { href: addressOf(first), title: first.name });
  for (const product of products) {
    const { name, pageLanguage } = product;
    const page = { href: addressOf(product), title: name, type: 'text/html', hreflang: [hreflangOf(pageLanguage)] };
    add(LINK_TYPES.defaultMulti, page);
    add(LINK_TYPES.page, page);
    for (const { field, href, mimeType, language } of product.documents) {
      add(DOCUMENT_TYPES[field] ?? LINK_TYPES.page, {
        href: absoluteUrl(href, site),
        title: `${ui(pageLanguage).fieldLabel(field)}: ${name}`,
        type: mimeType,
        ...(hasLanguage({ field, mimeType }) && { hreflang: [hreflangOf(language)] }),
      });
    }
    if (product.imageAsset) {
      const { src } = pictureSources(product.imageAsset, 'product');
      add(LINK_TYPES.image, { href: absoluteUrl(src, site), title: name, type: 'image/jpeg' });
    }
    if (settings.options.shops.records && !product.fallback && !product.archived) {
      add(LINK_TYPES.data, {
        href: absoluteUrl(recordPath(pageLanguage, product.gtin), site),
        title: name,
        type: 'application/json',
        hreflang: [hreflangOf(pageLanguage)],
      });
    }
  }
  return { linkset: [{ anchor: digitalLink(first.gtin, site), itemDescription: first.name, ...relations }] };
}

/** Returns the language in the forms that GS1's schema allows, `xx` and `xx-xx`. */
function hreflangOf(language: string): string {
  return /^[a-z]{2}(-[a-z]{2})?$/.test(language) ? language : language.slice(0, 2);
}
