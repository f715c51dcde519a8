import { robotsDirectives } from '#contracts/seo/head-values.ts';
import { absoluteUrl } from '../addresses/site-paths.ts';
import type { Alternate } from '../addresses/paths-by-language.ts';
import { breadcrumbNode, pageNode, type JsonLdNode } from '#contracts/seo/linked-data.ts';
import type { Crumb } from './linked-data.ts';
import { fillTemplate, PAGE_KINDS, type PageKind, type TemplateVariables } from '#contracts/seo/templates.ts';
import type { HeadRecord } from '#contracts/synced/index.ts';
import type { LanguageChoice } from '../languages/label-languages.ts';
import type { Options } from '#config/index.ts';
import type { Site } from '../site/load-site.ts';
import { MAX_SHOWN_DESCRIPTION_LENGTH, MAX_TITLE_WIDTH_PX } from '#analysis/checks/content-checks.ts';
import { titleWidthPx } from '#analysis/text/pixel-width.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { shortenText } from '../journal/excerpt.ts';
import type { Availability } from '#contracts/product/index.ts';
import type { ProductEntry } from '#catalogue/entries/entries.ts';
import type { OverlayData } from '../products/listed-product.ts';
import type { PriceView } from '../products/price.ts';

/** Metadata of a page for search engines and link previews. `Head.astro` renders it unchanged. */
export interface PageHead {
  /** Complete `<title>`. */
  title: string;
  description: string | undefined;
  /** Absolute URL. Undefined for pages with `noindex`. */
  canonical: string | undefined;
  /** Directives in order: `noindex`, `max-image-preview:large`. */
  robots: readonly string[];
  openGraph: OpenGraph;
  /** Values by name without `twitter:`. Services fall back to Open Graph for the rest. */
  twitter: Readonly<Record<string, string>>;
  /** JSON-LD nodes. */
  graph: readonly JsonLdNode[];
  /** The page and its translations. Empty without translations. */
  alternates: readonly Alternate[];
  /** Feeds and other formats of the page. */
  links: readonly HeadLink[];
  /** Other `<meta>` elements by name, such as site verification. */
  metas: Readonly<Record<string, string>>;
}

export interface OpenGraph {
  title: string;
  description: string | undefined;
  type: string;
  url: string;
  siteName: string;
  /** `de_DE`. */
  locale: string | undefined;
  otherLocales: readonly string[];
  images: readonly HeadImage[];
  audio: HeadAudio | undefined;
  /** Properties of specific types, with their full names: `product:availability`. */
  more: readonly (readonly [property: string, content: string])[];
}

export interface HeadImage {
  /** Absolute in `PageHead`, a path in `DescribedPage`. */
  src: string;
  width?: number | undefined;
  height?: number | undefined;
  alt?: string | undefined;
  type?: string | undefined;
}

export interface HeadAudio {
  src: string;
  type: string;
}

/** Link to another format (`<link rel="alternate">`). */
export interface HeadLink {
  type: string;
  href: string;
  title?: string | undefined;
}

/** Data for the heads of all pages of a language. */
export interface HeadSite extends SiteTexts {
  origin: URL;
  /** Language of the pages. Undefined on the language chooser. */
  language: string | undefined;
  /** Path of the home page in the language. */
  home: string;
  /** Verification codes of services by `<meta>` name, for home pages. */
  verification: Readonly<Record<string, string>>;
  /** Default image. */
  image?: HeadImage | undefined;
  /** Default feed. */
  feed?: HeadLink | undefined;
  links: readonly HeadLink[];
}

/** Metadata that a page provides. All addresses are paths. */
export interface PageMetadata extends PageTexts {
  path: string;
  /** Breadcrumb from the home page to the page itself. */
  crumbs?: readonly Crumb[];
  noindex?: boolean;
  image?: HeadImage | undefined;
  audio?: HeadAudio | undefined;
  /** Versions in all languages, including the page itself. */
  alternates?: readonly Alternate[];
  /** Feed of the page's list, which replaces the default feed. */
  feed?: Omit<HeadLink, 'type'> | undefined;
  /** The page in other formats. */
  links?: readonly HeadLink[];
  /** Open Graph properties of its type. */
  properties?: OpenGraph['more'];
  /** Labels and values that some services show with shared links: `Reading time`, `2 minutes`. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** JSON-LD nodes. The first is the main topic of the page. */
  graph?: readonly JsonLdNode[];
}

const INDEXED = Object.values(robotsDirectives({}));
const HIDDEN = Object.values(robotsDirectives({ noindex: true }));

/** Creates the head of a page from catalogue data. */
export function pageHead(page: PageMetadata, site: HeadSite): PageHead {
  const { kind, noindex = false, audio, links = [] } = page;
  const { origin } = site;
  const url = absoluteUrl(page.path, origin);
  const image = page.image ?? site.image;
  const feed = page.feed ? { type: 'application/rss+xml', ...page.feed } : site.feed;
  const alternates = noindex ? [] : (page.alternates ?? []);
  const locale = site.lang?.replace('-', '_');
  const { title, name, description } = headTexts(page, site);
  return {
    title,
    description,
    canonical: noindex ? undefined : url,
    robots: noindex ? HIDDEN : INDEXED,
    openGraph: {
      title: name,
      description,
      type: PAGE_KINDS[kind].ogType,
      url,
      siteName: site.name,
      locale,
      otherLocales: alternates
        .map(({ hreflang }) => hreflang.replace('-', '_'))
        .filter((other) => locale && other !== locale && other !== 'x_default'),
      images: image ? [{ ...image, src: absoluteUrl(image.src, origin) }] : [],
      audio: audio && { ...audio, src: absoluteUrl(audio.src, origin) },
      more: page.properties ?? [],
    },
    twitter: {
      ...(image && { card: 'summary_large_image' }),
      ...Object.fromEntries(
        (page.facts ?? []).flatMap(([label, value], i) => [
          [`label${i + 1}`, label],
          [`data${i + 1}`, value],
        ]),
      ),
    },
    graph: kind === 'not-found' ? [] : pageGraph(page, { url, name, description }, site),
    alternates,
    links: [...(feed ? [feed] : []), ...site.links, ...links],
    metas: isHome(kind) ? site.verification : {},
  };
}

/** Creates the nodes of a page and its breadcrumb, followed by those of its topics. */
function pageGraph(
  { kind, image, crumbs = [], graph: topics = [] }: PageMetadata,
  { url, name, description }: { url: string; name: string; description: string | undefined },
  { origin, home, lang }: HeadSite,
): JsonLdNode[] {
  const [about] = topics;
  const hasBreadcrumb = crumbs.length > 1;
  const node = pageNode({
    type: PAGE_KINDS[kind].type,
    url,
    name,
    inLanguage: lang,
    // The topic usually has the same description.
    description: about?.['description'] === description ? undefined : description,
    // Nodes of the topic have their own image.
    image: image && !about ? [absoluteUrl(image.src, origin)] : undefined,
    home: absoluteUrl(home, origin),
    hasBreadcrumb,
    // A home page has more topics than its publisher.
    ...(about && { [isHome(kind) ? 'about' : 'mainEntity']: { '@id': about['@id'] } }),
  });
  const links = crumbs.map((crumb) => ({ name: crumb.name, url: absoluteUrl(crumb.path, origin) }));
  return [node, ...(hasBreadcrumb ? [breadcrumbNode(url, links)] : []), ...topics];
}

/** Returns the Open Graph properties of an article's publication and modification dates. */
export function articleProperties({ published, modified }: { published: Date; modified: Date }): OpenGraph['more'] {
  return [
    ['article:published_time', published.toISOString()],
    ...(modified > published ? [['article:modified_time', modified.toISOString()] as const] : []),
  ];
}

type Heads = Pick<Site, 'head'>;

/** Returns the imported head of a page. All pages of a list share that of the first. */
export function findEditedHead(site: Heads, { path, number = 1 }: { path: string; number?: number | undefined }) {
  return site.head(number === 1 ? path : path.replace(/page\/\d+\/$/, ''));
}

/** True if an editor hides a page from feeds, search engines and other programs. */
export function isHidden(site: Heads, path: string): boolean {
  return site.head(path)?.robots.includes('noindex') === true;
}

/** Removes hidden posts, pages or episodes from a list for programs. */
export function withoutHidden<T extends { path: string }>(site: Heads, entries: readonly T[]): readonly T[] {
  const visible = entries.filter(({ path }) => !isHidden(site, path));
  // Returns the same list if nothing is hidden, because results are cached per list.
  return visible.length === entries.length ? entries : visible;
}

/** Returns the name of a page in breadcrumbs: the one set by an editor, else its title. */
export function breadcrumbName(site: Heads, { path, title }: { path: string; title: string }): string {
  return site.head(path)?.breadcrumbTitle || title;
}

/** Returns language choices without `alternate` for hidden pages and for pages with another canonical URL. */
export function canonicalChoices(site: Heads, choices: readonly LanguageChoice[]): LanguageChoice[] {
  return choices.map((choice) => ({
    ...choice,
    alternate: choice.alternate && isCanonical(site.head(choice.path)),
  }));
}

function isCanonical(head: HeadRecord | undefined): boolean {
  return head === undefined || (!head.robots.includes('noindex') && head.canonical === '');
}

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

const isHome = (kind: PageKind): boolean => kind === 'home' || kind === 'chooser';

function defaultDescription({ kind, description }: PageTexts): string {
  if (kind === 'product') return description ? PRODUCT_DESCRIPTION : PRODUCT_WITHOUT_TEXT;
  return description ? DESCRIPTION : '';
}

/** Returns the configured templates of a language. @param templates Option `seo.templates`. */
export function localizeTemplates(language: string, templates: Options['seo']['templates']): SiteTexts['templates'] {
  // One text for all languages, or texts by language.
  const textOf = (template: string | Readonly<Record<string, string>> | undefined) =>
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
  const stated = price.kind === 'amount' && !product.archived ? price : undefined;
  const properties: [property: string, content: string | undefined][] = [
    ['product:retailer_item_id', product.gtin],
    ['product:brand', maker],
    ['product:category', family],
    ['product:condition', 'new'],
    ['product:availability', availability],
    ['product:price:amount', stated?.amount],
    ['product:price:currency', stated?.currency],
  ];
  return properties.flatMap(([property, content]) => (content ? [[property, content]] : []));
}

/** Availability values of social networks. */
const SHARED_AVAILABILITY: Partial<Record<Availability, string>> = {
  available: 'in stock',
  limited: 'in stock',
  not_available: 'out of stock',
};
