/** Neutral name of a namespace -> its name on a particular server. Unlisted names stay unchanged. */
export type NamespaceMap = Readonly<Record<string, string>>;

/** Namespace names of a stock publishing server. */
export const STOCK_NAMESPACES = {
  'core/v2': 'wp/v2',
  'block-editor/v1': 'wp-block-editor/v1',
  'site-health/v1': 'wp-site-health/v1',
  'abilities/v1': 'wp-abilities/v1',
} as const satisfies NamespaceMap;

/** True if a map uses the stock name of the core namespace. */
export function hasStockNames(map: NamespaceMap): boolean {
  return map['core/v2'] === STOCK_NAMESPACES['core/v2'];
}

/** Converts a neutral route path to a server's path: `core/v2/posts` -> `wp/v2/posts` under the stock map. */
export function toWirePath(path: string, map: NamespaceMap): string {
  return rename(path, Object.entries(map));
}

/** Converts a server's route path to the neutral path. */
export function toNeutralPath(path: string, map: NamespaceMap): string {
  return rename(
    path,
    Object.entries(map).map(([neutral, wire]) => [wire, neutral]),
  );
}

function rename(path: string, names: readonly (readonly [string, string])[]): string {
  const found = names.find(([from]) => path === from || path.startsWith(`${from}/`));
  return found ? found[1] + path.slice(found[0].length) : path;
}
