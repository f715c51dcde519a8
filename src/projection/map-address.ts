import { homePath, rootPath } from '#catalogue/addresses/paths.ts';
import { pictureSources } from '#catalogue/pictures/picture-sources.ts';
import { pathsBelow } from '#contracts/own-addresses.ts';
import { isWebAddress } from '#contracts/podcast/web-address.ts';
import { OWN_ADDRESS } from '#model/edited-head.ts';
import { findImage } from '#product-index/localise-html.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { siteAddresses, type Articles } from './read-articles.ts';

/** Where addresses of the publishing site lead on this one. */
export interface AddressMap {
  /** The page, of this site, that stands for one of the publishing site; undefined where there is none, or elsewhere. */
  page(address: string, language: string): string | undefined;
  /** True for an address of the publishing site, whether it has a page here or not. */
  isOwn(address: string): boolean;
  /** The name of a thing as linked data has it: always one of this site, if it was one of the publishing site. */
  name(address: string, language: string): string;
  /** A page or picture of this site, or else the address itself. */
  link(address: string, language: string): string;
}

export function mapAddresses({ snapshot }: LoaderSource, { context }: Articles): AddressMap {
  const addresses = siteAddresses(snapshot);
  const belowOf = (address: string) => {
    const url = URL.parse(address);
    return url ? pathsBelow(url, addresses) : [];
  };
  const page = (address: string, language: string): string | undefined => {
    const [bare = '', fragment] = address.split('#', 2);
    const path = belowOf(bare).length > 0 ? context.resolveLink(bare, language) : undefined;
    // Redirects may lead out of this site.
    return path?.startsWith('/') ? `${path}${fragment === undefined ? '' : `#${fragment}`}` : undefined;
  };
  const name = (address: string, language: string): string => {
    // An address of the site may lie below another one.
    const [below] = belowOf(address).toSorted((a, b) => a.path.length - b.path.length);
    const url = URL.parse(address);
    if (!url || !below) return address;
    const isHome = below.path === '/' && url.search === '';
    // A site has a home page in each language, and one publisher and its people in all of them.
    if (isHome) return OWN_ADDRESS + (/^#[/o]/.test(url.hash) ? rootPath() : homePath(language)) + url.hash;
    const path = page(address, language);
    return OWN_ADDRESS + (path ?? `${rootPath()}${below.path.slice(1)}${url.search}${url.hash}`);
  };
  return {
    page,
    isOwn: (address) => belowOf(address).length > 0,
    name,
    link: (address, language) => {
      const image = findImage(snapshot, address, '');
      const path = image ? pictureSources(image, 'banner').src : page(address, language);
      return path === undefined ? address : OWN_ADDRESS + path;
    },
  };
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
