import { homePath } from '#catalogue/addresses/paths.ts';
import { pictureSources } from '#catalogue/pictures/picture-sources.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { HeadRecord } from '#contracts/synced/index.ts';
import { OWN_ADDRESS, type EditedHead } from '#model/edited-head.ts';
import { findImage } from '#product-index/localise-html.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { mapAddresses, mapGraph, type AddressMap } from './map-address.ts';
import { pageOfEpisode, siteLanguage } from './place-episodes.ts';
import type { Placed } from './place-posts.ts';
import { readArticles, type Articles } from './read-articles.ts';

/** Heads that the publishing site gives its pages, by the paths of the pages that stand for them on this site. */
export function* projectHeads(source: LoaderSource): Generator<ProjectedEntry & { data: EditedHead }> {
  const { snapshot } = source;
  const heads = new Map([...snapshot.records('head')].map((head) => [head.id, head]));
  if (heads.size === 0) return;
  const articles = readArticles(source);
  const addresses = mapAddresses(source, articles);
  const known = new Set<string>();
  for (const { id, path, language } of pagesWithHeads(source, articles, heads)) {
    const head = heads.get(id);
    if (!head || known.has(path)) continue;
    known.add(path);
    yield { id: path, data: headData(head, { path, language, source, addresses }) };
  }
  // Pages name the site that they are a part of by what the home page in their language says of it.
  const [any] = heads.values();
  for (const language of source.languages) {
    const path = homePath(language);
    if (!any || known.has(path)) continue;
    const graph = (heads.get('home/0') ?? any).graph.filter((node) => SHARED.has(String(node['@type'])));
    yield { id: path, data: headData({ ...NOTHING_SAID, graph }, { path, language, source, addresses }) };
  }
}

/** Paths of pages that nobody should find, who doesn't know them, as their editors want it. */
export function hiddenPaths(source: LoaderSource): ReadonlySet<string> {
  // Few sites hide anything, and placing all pages takes its time.
  if (!source.snapshot.hidesPages()) return new Set();
  return new Set([...projectHeads(source)].filter(({ data }) => data.robots.includes('noindex')).map(({ id }) => id));
}

/** Nodes that are the same on all pages. */
const SHARED = new Set(['WebSite', 'Organization']);

/** A head of which nobody has said anything. */
export const NOTHING_SAID: Omit<HeadRecord, 'graph'> = {
  id: '',
  subject: { kind: 'home', id: 0 },
  url: '',
  title: '',
  description: '',
  robots: [],
  canonical: '',
  openGraph: { type: '', title: '', description: '', url: '', siteName: '', locale: '', images: [], article: [] },
  twitter: {},
  author: '',
  breadcrumbTitle: '',
  isCornerstone: false,
  redirect: '',
};

interface PageWithHead {
  /** Of its head. */
  id: string;
  path: string;
  language: string;
}

function* pagesWithHeads(
  { options, languages }: LoaderSource,
  { posts, pages, episodes, archives }: Articles,
  heads: ReadonlyMap<string, HeadRecord>,
): Generator<PageWithHead> {
  const home = heads.get('home/0');
  if (home) {
    // A publishing site has one home page, in its own language.
    const language = siteLanguage(home.openGraph.locale.replace('_', '-'), languages) ?? options.mainLanguage;
    yield { id: home.id, path: homePath(language), language };
  }
  yield* placed('post', posts);
  yield* placed('page', pages);
  yield* placed('episode', episodes.map(pageOfEpisode));
  for (const language of languages)
    for (const { kind, id, path } of archives.get(language)?.values() ?? [])
      yield { id: `${kind}/${id}`, path, language };
}

function placed(kind: string, all: readonly Placed<{ id: number }>[]): PageWithHead[] {
  return all.map(({ record, path, language }) => ({ id: `${kind}/${record.id}`, path, language }));
}

interface HeadContext {
  path: string;
  language: string;
  source: LoaderSource;
  addresses: AddressMap;
}

function headData(head: HeadRecord, { path, language, source, addresses }: HeadContext): EditedHead {
  const { title, description, robots, openGraph, author, breadcrumbTitle, isCornerstone } = head;
  const { snapshot } = source;
  const { image, ...twitter } = head.twitter;
  const canonical = canonicalOf(head, { path, language, source, addresses });
  const findPicture = (address: string) => {
    const asset = findImage(snapshot, address, '');
    return asset && pictureSources(asset, 'banner');
  };
  return {
    title,
    description,
    robots,
    ...(canonical !== undefined && { canonical }),
    openGraph: {
      type: openGraph.type,
      title: openGraph.title,
      description: openGraph.description,
      siteName: openGraph.siteName,
      images: openGraph.images.map((picture) => {
        const asset = findImage(snapshot, picture.url, '');
        return { ...picture, ...(asset && { asset }) };
      }),
      article: openGraph.article.map(([property, content]) => [
        property,
        property.endsWith('_time') ? content : addresses.link(content, language),
      ]),
    },
    twitter: { ...twitter, ...(image && { image: addresses.link(image, language) }) },
    author,
    graph: mapGraph(head.graph, {
      addresses,
      language,
      inLanguage: toBcp47(language),
      findPicture,
    }),
    breadcrumbTitle,
    isCornerstone,
  };
}

/**
 * Where a page says that another stands for it: one of this site, or one elsewhere. Its own address, and one of the
 * publishing site that has no page here, are left to this site.
 */
function canonicalOf({ canonical }: HeadRecord, { path, language, addresses }: HeadContext): string | undefined {
  if (canonical === '') return undefined;
  const own = addresses.page(canonical, language);
  if (own !== undefined) return own === path ? undefined : OWN_ADDRESS + own;
  return addresses.isOwn(canonical) ? undefined : canonical;
}
