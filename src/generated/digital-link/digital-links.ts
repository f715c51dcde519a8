import { absoluteUrl } from '#catalogue/addresses/absolute-url.ts';
import { fileAt } from '#catalogue/addresses/base.ts';
import { digitalLink } from '#catalogue/addresses/digital-link.ts';
import { digitalLinkPath, linksetPath, productPath } from '#catalogue/addresses/paths.ts';
import { recordPath } from '#catalogue/addresses/shop-paths.ts';
import { labelLanguages } from '#catalogue/languages/label-languages.ts';
import { pictureSources } from '#catalogue/pictures/picture-sources.ts';
import { escapeHtml } from '#contracts/html/index.ts';
import { toBcp47, type DocumentField } from '#contracts/product/index.ts';
import { textDirection, type Ui } from '#i18n/index.ts';
import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import { splitPlace } from '#product-index/update-product-index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import { pageShell, SHELL_PAGE, type PageShell } from '../page-shell.ts';

/** Of GS1's Web Vocabulary 1.16; older material names `https://gs1.org/voc/`. */
const GS1 = 'https://ref.gs1.org/voc/';

/** Link types of GS1's Web Vocabulary that a catalogue has something for. */
const LINK_TYPES = {
  /** Where to go when nothing else is asked for. */
  default: `${GS1}defaultLink`,
  /** The same, by language. */
  defaultMulti: `${GS1}defaultLinkMulti`,
  /** Product information page. */
  page: `${GS1}pip`,
  image: `${GS1}relatedImage`,
  /** Data about the product for machines. */
  data: `${GS1}masterData`,
  safety: `${GS1}safetyInfo`,
  certification: `${GS1}certificationInfo`,
} as const;

/** There is no type for datasheets: what they hold is information on the product. */
const DOCUMENT_TYPES: Record<DocumentField, string> = {
  datasheet: LINK_TYPES.page,
  safety_datasheet: LINK_TYPES.safety,
  declaration_of_performance: LINK_TYPES.certification,
};

/**
 * Files for GS1 Digital Links, `/01/<GTIN-14>`: ready for them, not a GS1-conformant resolver, which a host without
 * rules can't be. What is no longer offered keeps its own, for codes outlive the range.
 */
export const digitalLinks: FileGenerator = {
  name: 'digital link',
  takesChanges: true,
  update: (context) => {
    const { settings, productIndex, overlays, changes, put, remove, readProduct, readPage, ui } = context;
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
      const isShown = ({ pageLanguage }: ListedEntry) => !overlays.isHidden(pageLanguage, gtin);
      put(
        pageFile,
        () => composeDigitalLinkPage(products(), { shell, languages, site, isShown }),
        `${digests} ${around}`,
      );
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

/**
 * Where the code on a product leads: a host that only has files can't tell the reader's language, so the reader
 * chooses, unless there is only one. Search engines are sent to the page of the main language.
 * @param products Pages of the product, that of the main language first.
 */
function composeDigitalLinkPage(
  products: readonly ListedEntry[],
  {
    shell,
    languages,
    site,
    isShown,
  }: {
    shell: PageShell;
    languages: readonly { code: string; name: string }[];
    site: URL;
    /** Whether search engines may list a page. */
    isShown: (product: ListedEntry) => boolean;
  },
): string {
  const [first] = products;
  if (!first) throw new Error('A Digital Link is one of a product.');
  const listed = products.find(isShown);
  const linkset = linksetPath(first.gtin);
  const head = [
    listed
      ? `<link rel="canonical" href="${escapeHtml(absoluteUrl(pathOf(listed), site))}">`
      : '<meta name="robots" content="noindex">',
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

interface Link {
  href: string;
  title: string;
  type?: string;
  hreflang?: string[];
}

interface LinksetOptions {
  /** The page of the main language first. */
  products: readonly ProductEntry[];
  site: URL;
  ui: (language: string) => Ui;
  /** Root-relative path of the record of a page; undefined where none is published. */
  recordPathOf: (product: ProductEntry) => string | undefined;
}

/**
 * All that there is of a product, for machines that resolve its GS1 Digital Link: a linkset in JSON (RFC 9264, 4.2)
 * with link types of GS1's Web Vocabulary, as GS1-Conformant Resolvers give it (standard 1.2, chapter 7).
 */
function composeLinkset({ products, site, ui, recordPathOf }: LinksetOptions): object {
  const [first] = products;
  if (!first) throw new Error('A linkset is about a product.');
  const relations: Record<string, Link[]> = {};
  const add = (type: string, link: Link): void => {
    const links = (relations[type] ??= []);
    if (!links.some(({ href }) => href === link.href)) links.push(link);
  };
  const addressOf = ({ pageLanguage, slug }: ProductEntry) => absoluteUrl(productPath(pageLanguage, slug), site);
  // GS1 allows it no more than a title.
  add(LINK_TYPES.default, { href: addressOf(first), title: first.name });
  for (const product of products) {
    const { name, pageLanguage } = product;
    const page = { href: addressOf(product), title: name, type: 'text/html', hreflang: [hreflangOf(pageLanguage)] };
    add(LINK_TYPES.defaultMulti, page);
    add(LINK_TYPES.page, page);
    for (const { field, href, mimeType, language } of product.documents) {
      add(DOCUMENT_TYPES[field], {
        href: absoluteUrl(href, site),
        title: `${ui(pageLanguage).t(`field.${field}`)}: ${name}`,
        type: mimeType,
        hreflang: [hreflangOf(language)],
      });
    }
    if (product.imageAsset) {
      const { src } = pictureSources(product.imageAsset, 'product');
      add(LINK_TYPES.image, { href: absoluteUrl(src, site), title: name, type: 'image/jpeg' });
    }
    const record = recordPathOf(product);
    if (record !== undefined) {
      add(LINK_TYPES.data, {
        href: absoluteUrl(record, site),
        title: name,
        type: 'application/json',
        hreflang: [hreflangOf(pageLanguage)],
      });
    }
  }
  return { linkset: [{ anchor: digitalLink(first.gtin, site), itemDescription: first.name, ...relations }] };
}

/** GS1's schema takes `xx` and `xx-xx`. */
function hreflangOf(language: string): string {
  return /^[a-z]{2}(-[a-z]{2})?$/.test(language) ? language : language.slice(0, 2);
}
