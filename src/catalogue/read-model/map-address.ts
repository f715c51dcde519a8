import { homePath, rootPath } from '#catalogue/addresses/paths.ts';
import { pictureSources } from '#catalogue/images/image-variants.ts';
import { pathsBelow } from '#contracts/site-paths.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import { isWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { SITE_PREFIX } from '../entries/entries.ts';
import { findImage } from '#catalogue/read-model/project-products.ts';
import type { LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import { siteAddresses, type Articles } from './articles.ts';

export type AddressMap = ReturnType<typeof mapAddresses>;

/** Maps addresses of the publishing site to this site. */
export function mapAddresses({ snapshot }: LoaderSource, { context }: Articles) {
  const addresses = siteAddresses(snapshot);
  const pathsOf = (address: string) => {
    const url = URL.parse(address);
    return url ? pathsBelow(url, addresses) : [];
  };
  const page = (address: string, language: string): string | undefined => {
    const [bare = '', fragment] = address.split('#', 2);
    const path = pathsOf(bare).length > 0 ? context.resolveLink(bare, language) : undefined;
    // Redirects may point to another site.
    return path?.startsWith('/') ? `${path}${fragment === undefined ? '' : `#${fragment}`}` : undefined;
  };
  const name = (address: string, language: string): string => {
    // Addresses of the site can be nested.
    const [match] = pathsOf(address).toSorted((a, b) => a.path.length - b.path.length);
    const url = URL.parse(address);
    if (!url || !match) return address;
    const isHome = match.path === '/' && url.search === '';
    // A site has one home page per language, but one publisher and one set of people for all languages.
    if (isHome) return SITE_PREFIX + (/^#[/o]/.test(url.hash) ? rootPath() : homePath(language)) + url.hash;
    const path = page(address, language);
    return SITE_PREFIX + (path ?? `${rootPath()}${match.path.slice(1)}${url.search}${url.hash}`);
  };
  return {
    /** Path of the corresponding page on this site; undefined if there is none or it redirects elsewhere. */
    page,
    /** True for any address of the publishing site, even without a page here. */
    isOwn: (address: string) => pathsOf(address).length > 0,
    /** Linked data id of a thing; ids of the publishing site become ids of this site. */
    name,
    /** Address of the corresponding page or image on this site, or else the address itself. */
    link: (address: string, language: string) => {
      const image = findImage(snapshot, address, '');
      const path = image ? pictureSources(image, 'banner').src : page(address, language);
      return path === undefined ? address : SITE_PREFIX + path;
    },
  };
}

/** Converts linked data of the publishing site to this site: addresses, images and language. */
export function mapGraph(
  graph: readonly Record<string, unknown>[],
  {
    addresses,
    language,
    findPicture,
  }: {
    addresses: AddressMap;
    /** Language of the page. */
    language: string;
    /** Returns the size of an image on this site. */
    findPicture: (address: string) => { width: number; height: number } | undefined;
  },
): Record<string, unknown>[] {
  const map = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      // The server's tag may be of another language.
      if (key === 'inLanguage') return toBcp47(language);
      if (!isWebAddress(value)) return value;
      return key === '@id' ? addresses.name(value, language) : addresses.link(value, language);
    }
    if (Array.isArray(value)) return value.map((item: unknown) => map(item, key));
    if (typeof value !== 'object' || value === null) return value;
    const node = Object.fromEntries(
      Object.entries(withUniqueImageId(value)).map(([name, member]) => [name, map(member, name)]),
    );
    const [picture] = ['url', 'contentUrl'].flatMap((name) => {
      const address: unknown = (value as Record<string, unknown>)[name];
      return typeof address === 'string' && 'width' in node ? (findPicture(address) ?? []) : [];
    });
    // The copy of an image can have another size.
    return picture ? { ...node, width: picture.width, height: picture.height } : node;
  };
  return graph.map((node) => map(node, '') as Record<string, unknown>);
}

const PERSON = /#\/schema\/person\/(?!image\/)([^/]+)$/;
const SHARED_IMAGE_ID = /#\/schema\/person\/image\/$/;

/** Makes the image id unique: servers use the same id for the images of all people. */
function withUniqueImageId(node: object): object {
  const [, person] = PERSON.exec('@id' in node ? String(node['@id']) : '') ?? [];
  if (person === undefined) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, member]: [string, unknown]) => {
      const id = typeof member === 'object' && member !== null && '@id' in member ? String(member['@id']) : '';
      return [name, SHARED_IMAGE_ID.test(id) ? { ...(member as object), '@id': id + person } : member];
    }),
  );
}
