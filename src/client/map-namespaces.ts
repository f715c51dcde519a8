import { SortimentError, STOCK_NAMESPACES, type NamespaceMap } from '#contracts/index.ts';
import { NAMESPACE_ROUTES, findServingNamespaces } from '#contracts/namespace-routes.ts';

export interface SiteNamespaces {
  /** Neutral name -> name on the site, where they differ. */
  namespaces: NamespaceMap;
  /** Namespaces with several candidates. */
  ambiguous: AmbiguousNamespace[];
}

export interface AmbiguousNamespace {
  neutral: string;
  used: string;
  others: string[];
}

/** Describes an ambiguous namespace and how to choose another candidate. */
export function describeAmbiguous({ neutral, used, others }: AmbiguousNamespace): { problem: string; advice: string } {
  return {
    problem: `has several namespaces that serve ${neutral}: ${[used, ...others].join(', ')}. The first one is used`,
    advice: `Nothing to do if that is right; otherwise set PUBLISHING_NAMESPACES, such as "${neutral}=${others[0]}".`,
  };
}

const STOCK: NamespaceMap = STOCK_NAMESPACES;
const NEUTRAL_NAMES = [...new Set([...Object.keys(NAMESPACE_ROUTES), ...Object.keys(STOCK)])];

/**
 * Maps neutral namespaces to their names on a site: by configuration, then by served routes, then by name. Several
 * candidates are ranked: the neutral name, the stock name, then alphabetical order.
 * @param patterns Route patterns of the index; empty if it lists none.
 * @throws SortimentError ENVIRONMENT_INVALID for a configured name that the site or this program doesn't know;
 *   UPSTREAM_WRONG_ADDRESS if the site has no content routes.
 */
export function mapNamespaces(
  configured: NamespaceMap,
  { root, listed, patterns }: { root: string; listed: readonly string[]; patterns: readonly string[] },
): SiteNamespaces {
  checkConfigured(configured, { root, listed });
  const found = new Map<string, string>();
  const ambiguous: AmbiguousNamespace[] = [];
  for (const neutral of NEUTRAL_NAMES) {
    const configuredName = configured[neutral];
    const names = [neutral, STOCK[neutral] ?? neutral];
    const candidates = findServingNamespaces(neutral, patterns).filter((name) => isListed(name, listed));
    const best = names.find((name) => candidates.includes(name)) ?? candidates[0];
    const used = configuredName ?? best ?? names.find((name) => listed.includes(name));
    if (used !== undefined) found.set(neutral, used);
    if (configuredName === undefined && used !== undefined && candidates.length > 1)
      ambiguous.push({ neutral, used, others: candidates.filter((name) => name !== used) });
  }
  if (!found.has('core/v2')) throw contentMissingError(root, listed);
  const namespaces = { ...configured, ...Object.fromEntries([...found].filter(([neutral, name]) => neutral !== name)) };
  return { namespaces, ambiguous };
}

/** A namespace with versioned children need not be listed itself. */
function isListed(name: string, listed: readonly string[]): boolean {
  return listed.some((other) => other === name || other.startsWith(`${name}/`));
}

function checkConfigured(
  configured: NamespaceMap,
  { root, listed }: { root: string; listed: readonly string[] },
): void {
  const problems = Object.entries(configured).flatMap(([neutral, name]) => {
    if (NEUTRAL_NAMES.every((other) => neutral !== other && !neutral.startsWith(`${other}/`)))
      return [`${neutral} is not one of ${NEUTRAL_NAMES.join(', ')}`];
    return isListed(name, listed) ? [] : [`${name}, for ${neutral}, is not among the namespaces of the site`];
  });
  if (problems.length === 0) return;
  throw new SortimentError(
    'ENVIRONMENT_INVALID',
    `The configured names of namespaces don't fit the site:\n  ${problems.join('\n  ')}\nThe index at ${root} lists ${listed.join(', ') || 'none'}.`,
    { hint: 'Correct PUBLISHING_NAMESPACES, or leave these pairs out: other namespaces are detected.' },
  );
}

function contentMissingError(root: string, listed: readonly string[]): SortimentError {
  const { path } = NAMESPACE_ROUTES['core/v2'] ?? { path: '' };
  return new SortimentError(
    'UPSTREAM_WRONG_ADDRESS',
    `The index at ${root} lists neither core/v2 nor ${STOCK['core/v2']} nor a namespace with the route ${path.replace('core/v2/', '…/')}, but ${listed.join(', ') || 'nothing'}.`,
    { hint: 'Set PUBLISHING_NAMESPACES, such as "core/v2=acme/v2", if the site calls them something else.' },
  );
}
