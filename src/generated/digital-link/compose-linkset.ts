import { absoluteUrl } from '#catalogue/addresses/absolute-url.ts';
import { digitalLink } from '#catalogue/addresses/digital-link.ts';
import { productPath } from '#catalogue/addresses/paths.ts';
import { pictureSources } from '#catalogue/pictures/picture-sources.ts';
import type { DocumentField } from '#contracts/product/index.ts';
import type { Ui } from '#i18n/index.ts';
import type { ProductEntry } from '#model/entries.ts';
import { LINK_TYPES } from './gs1-vocabulary.ts';

interface Link {
  href: string;
  title: string;
  type?: string;
  hreflang?: string[];
}

export interface LinksetOptions {
  /** The page of the main language first. */
  products: readonly ProductEntry[];
  site: URL;
  ui: (language: string) => Ui;
  /** Root-relative path of the record of a page; undefined where none is published. */
  recordPathOf: (product: ProductEntry) => string | undefined;
}

/** There is no type for datasheets: what they hold is information on the product. */
const DOCUMENT_TYPES: Record<DocumentField, string> = {
  datasheet: LINK_TYPES.page,
  safety_datasheet: LINK_TYPES.safety,
  declaration_of_performance: LINK_TYPES.certification,
};

/**
 * All that there is of a product, for machines that resolve its GS1 Digital Link: a linkset in JSON (RFC 9264, 4.2)
 * with link types of GS1's Web Vocabulary, as GS1-Conformant Resolvers give it (standard 1.2, chapter 7).
 */
export function composeLinkset({ products, site, ui, recordPathOf }: LinksetOptions): object {
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
