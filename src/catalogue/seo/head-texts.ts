import { MAX_SHOWN_DESCRIPTION_LENGTH, MAX_TITLE_WIDTH_PX } from '#analysis/checks/content-checks.ts';
import { titleWidthPx } from '#analysis/text/pixel-width.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { fillTemplate, type TemplateVariables } from '#contracts/seo/templates.ts';
import { shortenText } from '../journal/excerpt.ts';
import type { PageKind } from '#contracts/seo/page-kinds.ts';
import type { Availability } from '#contracts/product/index.ts';
import type { ProductEntry } from '#catalogue/entries/entries.ts';
import type { OverlayData } from '../products/listed-product.ts';
import type { PriceView } from '../products/price.ts';

/** Templates such as `%%title%% %%sep%% %%sitename%%`. */
export interface PageTemplates {
  title?: string | undefined;
  description?: string | undefined;
}

/** Input for the texts in the head of a page. */
export interface PageTexts {
  kind: PageKind;
  /** Title of the page, without the site's name and the page number. */
  title: string;
  description?: string | undefined;
  /** One-based number of the page in a list. */
  number?: number;
  /** Additional template variables of its kind (`templateVariables`). */
  variables?: TemplateVariables;
  /** Templates of this page, which override those of its kind. */
  templates?: PageTemplates | undefined;
}

/** Data for the texts of all pages of a language. */
export interface SiteTexts {
  name: string;
  /** BCP 47 tag of the site's language. Undefined on the language chooser. */
  lang: string | undefined;
  /** Description of the site in one sentence. */
  description?: string | undefined;
  separator: string;
  /** Configured templates. Kinds without one use the defaults. */
  templates: Readonly<Partial<Record<PageKind, PageTemplates>>>;
  /** Formats the number of a page: `Page 2`. */
  page: (number: number) => string;
}

const TITLE = '%%title%% %%sep%% %%page%% %%sep%% %%sitename%%';
/** Title without the site's name. */
const NAME = '%%title%% %%sep%% %%page%%';
const DESCRIPTION = '%%excerpt%% %%sep%% %%page%%';
/** Formats of a product share a text, so the description needs the item number. */
const PRODUCT_DESCRIPTION = '%%excerpt%% %%sep%% %%sku%%';
/** Unique description for products without text. */
const PRODUCT_WITHOUT_TEXT = '%%title%% %%sep%% %%sku%% %%sep%% %%category%%';

/**
 * Fills the templates of the page, else of its kind, else the defaults.
 * @returns Title, name without the site's name, and description.
 */
export function headTexts(
  page: PageTexts,
  site: SiteTexts,
): { title: string; name: string; description: string | undefined } {
  const { number = 1, templates: pageTemplates } = page;
  const kindTemplates = site.templates[page.kind];
  const values: TemplateVariables = {
    ...page.variables,
    title: page.title,
    excerpt: page.description,
    page: number > 1 ? site.page(number) : '',
    pagenumber: number > 1 ? String(number) : '',
    sep: site.separator,
    sitename: site.name,
    sitedesc: site.description,
  };
  const title = pageTemplates?.title ?? kindTemplates?.title;
  const description = pageTemplates?.description ?? kindTemplates?.description ?? defaultDescription(page);
  return {
    title: title === undefined ? defaultTitle(page, values) : fillTemplate(title, values),
    name: fillTemplate(pageTemplates?.title ?? NAME, values),
    description: describe(description, values, site.lang ?? '') || undefined,
  };
}

/**
 * Returns the default title. Home pages have the name of the site. Long titles omit it, because search results show it
 * separately.
 */
function defaultTitle({ kind, title }: PageTexts, values: TemplateVariables): string {
  const name = fillTemplate(NAME, values);
  if (isHome(kind) || title === values['sitename']) return name;
  const whole = fillTemplate(TITLE, values);
  return titleWidthPx(whole) > MAX_TITLE_WIDTH_PX ? name : whole;
}

/** Fills a template for a description. The excerpt is shortened to the maximum length. Other parts are preserved. */
function describe(template: string, values: TemplateVariables, language: string): string {
  const whole = fillTemplate(template, values);
  const { excerpt = '' } = values;
  const room = MAX_SHOWN_DESCRIPTION_LENGTH - (whole.length - fillTemplate('%%excerpt%%', values).length);
  if (whole.length <= MAX_SHOWN_DESCRIPTION_LENGTH || room <= 0) return whole;
  return fillTemplate(template, { ...values, excerpt: shortenText(excerpt, language, room) });
}

export const isHome = (kind: PageKind): boolean => kind === 'home' || kind === 'chooser';

function defaultDescription({ kind, description }: PageTexts): string {
  if (kind === 'product') return description ? PRODUCT_DESCRIPTION : PRODUCT_WITHOUT_TEXT;
  return description ? DESCRIPTION : '';
}

/** One text for all languages, or texts by language. */
type TemplateText = string | Readonly<Record<string, string>> | undefined;

/** Returns the configured templates of a language. @param templates Option `seo.templates`. */
export function localizeTemplates(
  language: string,
  templates: Readonly<Partial<Record<PageKind, { title?: TemplateText; description?: TemplateText }>>>,
): SiteTexts['templates'] {
  const textOf = (template: TemplateText) =>
    typeof template === 'object' ? pickLocalized(template, language, language) : template;
  return Object.fromEntries(
    Object.entries(templates).map(([kind, { title, description }]) => [
      kind,
      { title: textOf(title), description: textOf(description) },
    ]),
  );
}

/** Returns the data for the title and description of a product page. */
export function productTexts(
  product: Pick<ProductEntry, 'name' | 'gtin' | 'intro' | 'application_short' | 'item_number'>,
  { seo, maker, family }: { seo: OverlayData['seo']; maker: string; family: string | undefined },
): PageTexts {
  const { name, gtin, intro, application_short, item_number } = product;
  return {
    kind: 'product',
    title: name,
    description: intro || application_short,
    variables: { category: family, sku: item_number || gtin, gtin, brand: maker },
    templates: seo,
  };
}

/** Returns the Open Graph properties of a product. The price is included only if the page shows one. */
export function productProperties(
  product: Pick<ProductEntry, 'gtin' | 'availability' | 'archived'>,
  { price, maker, family }: { price: PriceView; maker: string; family: string | undefined },
): [property: string, content: string][] {
  const availability = product.archived ? 'discontinued' : SHARED_AVAILABILITY[product.availability];
  return [
    ['product:retailer_item_id', product.gtin],
    ['product:brand', maker],
    ...(family ? ([['product:category', family]] satisfies [string, string][]) : []),
    ['product:condition', 'new'],
    ...(availability ? ([['product:availability', availability]] satisfies [string, string][]) : []),
    ...(price.kind === 'amount' && !product.archived
      ? ([
          ['product:price:amount', price.amount],
          ['product:price:currency', 'EUR'],
        ] satisfies [string, string][])
      : []),
  ];
}

/** Availability values of social networks. */
const SHARED_AVAILABILITY: Partial<Record<Availability, string>> = {
  available: 'in stock',
  limited: 'in stock',
  not_available: 'out of stock',
};
