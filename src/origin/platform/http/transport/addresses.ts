import { toWirePath, type NamespaceMap } from '#contracts/index.ts';

/** Where the site and its interface are reached. */
export interface Addresses {
  /** The site, without a slash at the end. */
  site: string;
  /** An address of the interface by its neutral path; the empty path is the root, with a slash at the end. */
  rest(path: string): string;
}

export function addresses(publicUrl: string, restRoot: string, namespaces: NamespaceMap): Addresses {
  return { site: publicUrl, rest: (path) => `${publicUrl}/${restRoot}/${toWirePath(path, namespaces)}` };
}
