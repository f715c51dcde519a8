import { archivePath, homePath, rootPath, searchPath, type ArchiveKind } from '#catalogue/addresses/paths.ts';
import { pictureSources } from '#catalogue/pictures/picture-sources.ts';
import { trimEndOf } from '#contracts/index.ts';
import { isWebAddress } from '#contracts/podcast/web-address.ts';
import type { TermRecord } from '#contracts/synced/index.ts';
import { OWN_ADDRESS } from '#model/edited-head.ts';
import { findImage } from '#product-index/localise-html.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { addressSlug } from './address-slug.ts';
import { decodeSlug } from './decode-slug.ts';
import type { Articles } from './read-articles.ts';
import { readTerms, shownTerms } from './term-index.ts';

/** Where addresses of the publishing site lead on this one. */
export interface AddressMap {
  /** The page, of this site, that stands for one of the publishing site; undefined where there is none, or elsewhere. */
  page(address: string, language: string): string | undefined;
  /** The name of a thing as linked data has it: always one of this site, if it was one of the publishing site. */
  name(address: string, language: string): string;
  /** A page or picture of this site, or else the address itself. */
  link(address: string, language: string): string;
  /** Archives that a language has, by kind: slug -> the record that they are of. */
  archives(language: string): ReadonlyMap<string, Archive>;
}

export interface Archive {
  kind: ArchiveKind;
  /** Id of the term or author. */
  id: number;
  path: string;
}

/** Archives are named by the addresses of their terms and authors, articles by what links lead to. */
export function mapAddresses(source: LoaderSource, articles: Articles): AddressMap {
  const { snapshot, languages } = source;
  const site = URL.parse(snapshot.site()?.url ?? '');
  const base = trimEndOf(site?.pathname ?? '', '/');
  const archives = new Map(languages.map((language) => [language, archivesIn(source, articles, language)]));
  const links = new Map<string, string>();
  for (const term of readTerms(snapshot)) if (term.link) links.set(normalise(term.link), `${term.taxonomy} ${term.id}`);
  for (const author of snapshot.records('author'))
    if (author.link) links.set(normalise(author.link), `author ${author.id}`);

  const isOwn = (url: URL) => site !== null && bareHost(url) === bareHost(site) && /^https?:$/.test(url.protocol);
  const page = (address: string, language: string): string | undefined => {
    const url = URL.parse(address);
    if (!url || !isOwn(url)) return undefined;
    if (url.searchParams.has('s')) {
      // The page of results, whose own word for what is sought is another one.
      const [, words = ''] = /[?&]s=([^&#]*)/.exec(address) ?? [];
      return `${searchPath(language)}?q=${words}`;
    }
    const { hash } = url;
    url.hash = '';
    const archive = archives.get(language)?.get(links.get(normalise(url.href)) ?? '');
    const path = archive?.path ?? articles.context.resolveLink(url.href, language);
    // Readers may be sent out of this site.
    return path?.startsWith('/') ? `${path}${hash}` : undefined;
  };
  const name = (address: string, language: string): string => {
    const url = URL.parse(address);
    if (!url || !isOwn(url)) return address;
    const isHome = trimEndOf(url.pathname, '/') === base && url.search === '';
    // A site has a home page in each language, and one publisher and its people in all of them.
    if (isHome) return OWN_ADDRESS + (/^#[/o]/.test(url.hash) ? rootPath() : homePath(language)) + url.hash;
    const path = page(address, language);
    return OWN_ADDRESS + (path ?? `${rootPath()}${url.pathname.slice(base.length + 1)}${url.search}${url.hash}`);
  };
  return {
    page,
    name,
    link: (address, language) => {
      const image = findImage(snapshot, address, '');
      const path = image ? pictureSources(image, 'banner').src : page(address, language);
      return path === undefined ? address : OWN_ADDRESS + path;
    },
    archives: (language) => archives.get(language) ?? new Map(),
  };
}

function archivesIn(
  { options }: LoaderSource,
  { posts, terms, context }: Articles,
  language: string,
): Map<string, Archive> {
  const found = new Map<string, Archive>();
  const isShown = (term: TermRecord) => shownTerms({ termsOf: () => [term] }, [term.id], options.publishing).length > 0;
  for (const { record } of posts.filter((post) => post.language === language)) {
    for (const term of terms.termsOf([...record.categories, ...record.tags])) {
      const key = `${term.taxonomy} ${term.id}`;
      if (found.has(key) || !isShown(term)) continue;
      found.set(key, {
        kind: term.taxonomy,
        id: term.id,
        path: archivePath(language, term.taxonomy, addressSlug(term)),
      });
    }
    const author = context.authors.get(record.author);
    if (author?.name)
      found.set(`author ${author.id}`, {
        kind: 'author',
        id: author.id,
        path: archivePath(language, 'author', addressSlug(author)),
      });
  }
  return found;
}

const bareHost = ({ host }: URL): string => host.replace(/^www\./, '');

/** Without what makes no difference to where an address leads. */
function normalise(address: string): string {
  return decodeSlug(trimEndOf(URL.parse(address)?.pathname ?? '', '/')).toLowerCase();
}

/** Linked data of the publishing site as this one has it: its addresses, its pictures, its language. */
export function mapGraph(
  graph: readonly Record<string, unknown>[],
  { addresses, language, inLanguage, findPicture }: GraphMapping,
): Record<string, unknown>[] {
  const map = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (key === 'inLanguage') return inLanguage;
      if (!isWebAddress(value)) return value;
      return key === '@id' ? addresses.name(value, language) : addresses.link(value, language);
    }
    if (Array.isArray(value)) return value.map((item: unknown) => map(item, key));
    if (typeof value !== 'object' || value === null) return value;
    const node = Object.fromEntries(
      Object.entries(withOwnPicture(value)).map(([name, member]) => [name, map(member, name)]),
    );
    const [picture] = ['url', 'contentUrl'].flatMap((name) => {
      const address: unknown = (value as Record<string, unknown>)[name];
      return typeof address === 'string' && 'width' in node ? (findPicture(address) ?? []) : [];
    });
    // A mirrored picture comes in another size.
    return picture ? { ...node, width: picture.width, height: picture.height } : node;
  };
  return graph.map((node) => map(node, '') as Record<string, unknown>);
}

const PERSON = /#\/schema\/person\/(?!image\/)([^/]+)$/;
const ANYBODYS_PICTURE = /#\/schema\/person\/image\/$/;

/** Servers name the pictures of all people alike. */
function withOwnPicture(node: object): object {
  const [, person] = PERSON.exec('@id' in node ? String(node['@id']) : '') ?? [];
  if (person === undefined) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, member]: [string, unknown]) => {
      const id = typeof member === 'object' && member !== null && '@id' in member ? String(member['@id']) : '';
      return [name, ANYBODYS_PICTURE.test(id) ? { ...(member as object), '@id': id + person } : member];
    }),
  );
}

export interface GraphMapping {
  addresses: AddressMap;
  /** Of the page. */
  language: string;
  /** Its tag; the server's may be of another language. */
  inLanguage: string;
  /** The size in which a picture is shown here. */
  findPicture(address: string): { width: number; height: number } | undefined;
}
