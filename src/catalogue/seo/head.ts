import { robotsDirectives } from '#contracts/seo/robots.ts';
import { absoluteUrl } from '../addresses/site-paths.ts';
import type { Alternate } from '../addresses/paths-by-language.ts';
import type { JsonLdNode } from '#contracts/seo/linked-data.ts';
import { pageJsonLd, type Crumb } from './linked-data.ts';
import type { PageKind } from '#contracts/seo/page-kinds.ts';
import { headTexts, isHome, type PageTexts, type SiteTexts } from './head-texts.ts';
import type { HeadRecord } from '#contracts/synced/index.ts';
import type { LanguageChoice } from '../languages/label-languages.ts';
import type { Site } from '../site/load-site.ts';

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
  const { kind, noindex = false, audio, links = [], graph: topics = [] } = page;
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
      type: KINDS[kind].ogType ?? 'website',
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
    graph:
      kind === 'not-found'
        ? []
        : pageJsonLd(
            {
              type: KINDS[kind].type,
              url,
              name,
              description,
              inLanguage: site.lang,
              // Nodes of the topic have their own image.
              image: page.image && topics.length === 0 ? absoluteUrl(page.image.src, origin) : undefined,
              home: site.home,
              crumbs: page.crumbs ?? [],
              topics,
              // A home page has more topics than its publisher.
              isMain: !isHome(kind),
            },
            origin,
          ),
    alternates,
    links: [...(feed ? [feed] : []), ...site.links, ...links],
    metas: isHome(kind) ? site.verification : {},
  };
}

/** Returns the Open Graph properties of an article's publication and modification dates. */
export function articleProperties({ published, modified }: { published: Date; modified: Date }): OpenGraph['more'] {
  return [
    ['article:published_time', published.toISOString()],
    ...(modified > published ? [['article:modified_time', modified.toISOString()] as const] : []),
  ];
}

interface PageType {
  /** Type in schema.org. */
  type: string;
  /** Type in Open Graph. @default 'website' */
  ogType?: string;
}

const PAGE: PageType = { type: 'WebPage' };
const LIST: PageType = { type: 'CollectionPage' };

const KINDS: Readonly<Record<PageKind, PageType>> = {
  chooser: PAGE,
  'not-found': PAGE,
  home: PAGE,
  products: LIST,
  family: LIST,
  facet: LIST,
  filter: PAGE,
  compare: PAGE,
  calculator: PAGE,
  'family-norm': LIST,
  'family-downloads': LIST,
  product: { type: 'ItemPage', ogType: 'product' },
  norms: LIST,
  norm: LIST,
  downloads: LIST,
  discontinued: LIST,
  data: PAGE,
  search: { type: 'SearchResultsPage' },
  directory: LIST,
  journal: LIST,
  category: LIST,
  tag: LIST,
  author: { type: 'ProfilePage', ogType: 'profile' },
  month: LIST,
  article: { type: 'WebPage', ogType: 'article' },
  podcast: LIST,
  episode: { type: 'WebPage', ogType: 'article' },
  page: PAGE,
};

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
