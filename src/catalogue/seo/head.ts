import { robotsDirectives } from '#contracts/seo/robots.ts';
import { absoluteUrl } from '../addresses/absolute-url.ts';
import type { Alternate } from '../addresses/alternates.ts';
import type { JsonLdNode } from '../json-ld/json-ld.ts';
import { breadcrumbJsonLd, pageJsonLd, websiteId, type Crumb } from '../json-ld/site-json-ld.ts';
import type { PageKind } from '#contracts/seo/page-kinds.ts';
import { headTexts, isHome, type PageTexts, type SiteTexts } from './head-texts.ts';

/** All that a page says of itself to search engines and to whoever shows a link to it. `Head.astro` writes it as it is. */
export interface PageHead {
  /** The whole `<title>`. */
  title: string;
  description: string | undefined;
  /** Absolute; undefined for a page that is kept from search engines. */
  canonical: string | undefined;
  /** Directives in their order: `noindex`, `max-image-preview:large`. */
  robots: readonly string[];
  openGraph: OpenGraph;
  /** Without `twitter:` before the names. What isn't here, services take from Open Graph. */
  twitter: Readonly<Record<string, string>>;
  /** Nodes of linked data. */
  graph: readonly JsonLdNode[];
  /** Itself and its translations; empty for a page without any. */
  alternates: readonly Alternate[];
  /** Feeds, and the same in other formats. */
  links: readonly HeadLink[];
  /** Other `<meta>` by their names: those by which services find out whose site this is. */
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
  /** What only some types have, with the names it has there: `product:availability`. */
  more: readonly (readonly [property: string, content: string])[];
}

export interface HeadImage {
  /** Absolute in a head; a path in what a page says of itself. */
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

/** A `<link rel="alternate">` of another format. */
export interface HeadLink {
  type: string;
  href: string;
  title?: string | undefined;
}

/** What all pages of a language have in common. */
export interface HeadSite extends SiteTexts {
  origin: URL;
  /** Of the pages; undefined where one is chosen. */
  language: string | undefined;
  /** Path of the home page in the language. */
  home: string;
  /** Codes of services, by the names of their `<meta>`: for home pages. */
  verification: Readonly<Record<string, string>>;
  /** Picture of pages that have none of their own. */
  image?: HeadImage | undefined;
  /** The feed of pages that have none of their own. */
  feed?: HeadLink | undefined;
  links: readonly HeadLink[];
}

/** What a page says of itself; all addresses are paths. */
export interface DescribedPage extends PageTexts {
  path: string;
  /** From the home page to the page itself. */
  crumbs?: readonly Crumb[];
  noindex?: boolean;
  image?: HeadImage | undefined;
  audio?: HeadAudio | undefined;
  /** Its versions in all languages, itself among them. */
  alternates?: readonly Alternate[];
  /** A feed of what the page lists, instead of that of the site. */
  feed?: Omit<HeadLink, 'type'> | undefined;
  /** The page in other formats. */
  links?: readonly HeadLink[];
  /** Properties of Open Graph that its type has. */
  properties?: OpenGraph['more'];
  /** Labels and values that some services show with a shared link: `Reading time`, `2 minutes`. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** Nodes of linked data; the first is what the page is about. */
  graph?: readonly JsonLdNode[];
}

const INDEXED = Object.values(robotsDirectives({}));
const HIDDEN = Object.values(robotsDirectives({ noindex: true }));

/** The head of a page as the catalogue makes it. */
export function pageHead(page: DescribedPage, site: HeadSite): PageHead {
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
    graph: graphOf(page, { url, name, description }, site),
    alternates,
    links: [...(feed ? [feed] : []), ...site.links, ...links],
    metas: isHome(kind) ? site.verification : {},
  };
}

/** When an article came out, and when it was changed since: properties that Open Graph has for articles. */
export function articleProperties({ published, modified }: { published: Date; modified: Date }): OpenGraph['more'] {
  return [
    ['article:published_time', published.toISOString()],
    ...(modified > published ? [['article:modified_time', modified.toISOString()] as const] : []),
  ];
}

interface KindOfPage {
  /** In schema.org. */
  type: string;
  /** In Open Graph; a website, unless named. */
  ogType?: string;
}

const PAGE: KindOfPage = { type: 'WebPage' };
const LIST: KindOfPage = { type: 'CollectionPage' };

const KINDS: Readonly<Record<PageKind, KindOfPage>> = {
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

/** The page, the way to it, and what it is about. */
function graphOf(
  { kind, crumbs = [], graph = [], image }: DescribedPage,
  texts: { url: string; name: string; description: string | undefined },
  { lang, home, origin }: HeadSite,
): JsonLdNode[] {
  if (kind === 'not-found') return [];
  const breadcrumb = crumbs.length > 1 ? breadcrumbJsonLd(crumbs, texts.url, origin) : undefined;
  const page = pageJsonLd({
    ...texts,
    // What a page is about has its picture itself.
    image: image && graph.length === 0 ? absoluteUrl(image.src, origin) : undefined,
    type: KINDS[kind].type,
    inLanguage: lang,
    website: websiteId(home, origin),
    about: graph[0],
    // A home page is about more than who publishes it.
    isMain: !isHome(kind),
    breadcrumb,
  });
  return [page, ...(breadcrumb ? [breadcrumb] : []), ...graph];
}
