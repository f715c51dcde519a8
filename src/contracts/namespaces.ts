/** Neutral name of a namespace -> the name a particular server uses on the wire. Names that are not listed stay as they are. */
export type NamespaceMap = Readonly<Record<string, string>>;

/** What a stock publishing server calls them. */
export const STOCK_NAMESPACES = {
  'core/v2': 'wp/v2',
  'block-editor/v1': 'wp-block-editor/v1',
  'site-health/v1': 'wp-site-health/v1',
  'abilities/v1': 'wp-abilities/v1',
} as const satisfies NamespaceMap;

/** Whether a map gives the core namespace its stock name. */
export function hasStockNames(map: NamespaceMap): boolean {
  return map['core/v2'] === STOCK_NAMESPACES['core/v2'];
}

/** The wire name of a neutral route path: `core/v2/posts` -> `wp/v2/posts` under the stock map. */
export function toWirePath(path: string, map: NamespaceMap): string {
  return rename(path, Object.entries(map));
}

/** The neutral path of a wire path. */
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
