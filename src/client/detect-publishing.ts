import { z } from 'zod';
import type { PublishingUpstream } from '#config/index.ts';
import {
  SortimentError,
  toNeutralPath,
  toWirePath,
  withoutUserInfo,
  type NamespaceMap,
  type RouteDeclaration,
  STOCK_NAMESPACES,
} from '#contracts/index.ts';
import { siteIndex } from '#contracts/core/site-resources.ts';
import { isTimeZone } from '#contracts/site-clock.ts';
import {
  type UpstreamFailure,
  PUBLISHING_HINTS,
  upstreamError,
  fetchJson,
  parseUpstreamResult,
} from './upstream-result.ts';
import type { Transport } from './create-transport.ts';
import { basicCredential, listSecrets } from './credential.ts';
import { serializeQuery } from './serialize-query.ts';
import { listTaxonomies } from '#contracts/core/routes.ts';
import { bootstrapPlayer, getPlayerSetup } from '#contracts/player/routes.ts';
import { getShow } from '#contracts/podcast/record.ts';
import { listEpisodeMedia } from '#contracts/podcast/episode-routes.ts';
import { getHead } from '#contracts/seo/head.ts';
import { getPictureSizes } from '#contracts/thumbnails/routes.ts';

/**
 * Neutral name of a namespace -> the route that identifies it on any server. The longer of two names with the same
 * prefix comes first.
 */
const NAMESPACE_ROUTES: Readonly<Record<string, RouteDeclaration>> = {
  'core/v2': listTaxonomies,
  'podcast/v1': getShow,
  'podcast/v2': listEpisodeMedia,
  'player/5.9.2': bootstrapPlayer,
  player: getPlayerSetup,
  'seo/v1': getHead,
  'thumbnails/v1': getPictureSizes,
};

const NAME = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
/** Longer than any route; limits the cost of a hostile index. */
const MAX_PATTERN_LENGTH = 500;

/** Path parameters in both notations, whatever their names and patterns. */
const CAPTURE = /\(\?P<\w+>(?:[^()]|\([^()]*\))*\)|<\w+>/g;

/**
 * Finds the namespaces with the identifying route of a neutral namespace.
 * @param patterns Route patterns of a site's index: `/acme/v1/get_head`, `/acme/v1/pictures/(?P<id>[\d]+)`.
 * @returns Names on the site, in alphabetical order.
 */
function findServingNamespaces(neutral: string, patterns: readonly string[]): string[] {
  const path = NAMESPACE_ROUTES[neutral]?.path;
  if (path === undefined) return [];
  const tail = path.slice(neutral.length).replace(CAPTURE, '<>');
  const candidates = patterns.flatMap((pattern) => {
    if (pattern.length > MAX_PATTERN_LENGTH) return [];
    const shape = pattern.replace(CAPTURE, '<>');
    return shape.endsWith(tail) ? [shape.slice(1, -tail.length)] : [];
  });
  return [...new Set(candidates)].filter((name) => NAME.test(name)).toSorted();
}

/** A namespace with several candidates. */
interface AmbiguousNamespace {
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
 * @returns `namespaces`: neutral name -> name on the site, where they differ.
 * @param patterns Route patterns of the index; empty if it lists none.
 * @throws SortimentError ENVIRONMENT_INVALID for a configured name that the site or this program doesn't know;
 *   UPSTREAM_WRONG_ADDRESS if the site has no content routes.
 */
function mapNamespaces(
  configured: NamespaceMap,
  { root, listed, patterns }: { root: string; listed: readonly string[]; patterns: readonly string[] },
): { namespaces: NamespaceMap; ambiguous: AmbiguousNamespace[] } {
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

/** Required fields of the index. Other fields differ between sites, and some sites hide their routes. */
const index = siteIndex.pick({ name: true, description: true, url: true, home: true, namespaces: true }).extend({
  routes: z.record(z.string(), z.unknown()).catch({}),
  timezone_string: z.string().catch(''),
  gmt_offset: z.coerce.number().catch(0),
});

const FIELDS = Object.keys(index.shape).join();

export type PublishingSite = Awaited<ReturnType<typeof detectPublishing>>;

/** Paths to try for the REST root, most common first. */
const ROOTS = ['wp-json', 'rest', '?rest_route='];

/**
 * Finds the REST root of a site and the names of its namespaces.
 * @throws SortimentError UPSTREAM_WRONG_ADDRESS if no root responds with an index, or none with content routes;
 *   UPSTREAM_UNAUTHORISED, UPSTREAM_UNAVAILABLE and similar if the first root fails that way.
 */
export async function detectPublishing(upstream: PublishingUpstream, transport: Transport) {
  const { siteUrl, restRoot, account } = upstream;
  const credential = account && basicCredential(account, siteUrl);
  const failed: UpstreamFailure[] = [];
  for (const segment of restRoot === 'detect' ? ROOTS : [restRoot]) {
    const root = segment.startsWith('?')
      ? `${siteUrl}/?rest_route=/`
      : `${siteUrl}/${segment.replace(/^\/|\/$/g, '')}/`;
    const url = restAddress(root, '', { _fields: FIELDS });
    const answer = parseUpstreamResult(await fetchJson(transport, { url, credential }), index, listSecrets(credential));
    if (answer.kind === 'ok') {
      const { name, description, home, url: filesUrl, namespaces: listed, routes } = answer.value;
      return {
        /** As configured, without a trailing slash. */
        siteUrl,
        /** URL of the REST root, up to the path of a route. */
        root,
        ...mapNamespaces(upstream.namespaces, { root, listed, patterns: Object.keys(routes) }),
        /** All namespaces in the index, under their names on the site. */
        listed,
        name,
        description,
        /** URL of its pages, from the index. */
        home: withoutUserInfo(home),
        /** URL of its files, from the index; often the same as `home`. */
        url: withoutUserInfo(filesUrl),
        /** Name or offset of its time zone, such as `Europe/Berlin` or `+05:30`. UTC if the index has none. */
        timeZone: timeZoneOf(answer.value),
        /** Time of the server at detection. */
        serverTime: readDate(answer.headers['date']),
      };
    }
    if (answer.kind === 'unavailable' || answer.kind === 'throttled') throw upstreamError(answer);
    failed.push(answer);
  }
  throw rootNotFoundError(siteUrl, failed);
}

/** Sites report either a named zone or an offset in hours. */
function timeZoneOf({ timezone_string: name, gmt_offset: hours }: z.output<typeof index>): string {
  if (isTimeZone(name)) return name;
  const minutes = Math.round(Math.abs(hours) * 60);
  const offset = `${hours < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
  return isTimeZone(offset) ? offset : 'UTC';
}

const pad = (number: number): string => String(number).padStart(2, '0');

function readDate(header: string | undefined): Date {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? new Date() : new Date(time);
}

/** Returns the listed namespace of a route; undefined if the site has none for it. */
export function findNamespace(site: Pick<PublishingSite, 'listed' | 'namespaces'>, { path }: RouteDeclaration) {
  const wirePath = toWirePath(path, site.namespaces);
  const matches = site.listed.filter((name) => wirePath === name || wirePath.startsWith(`${name}/`));
  return matches.toSorted((a, b) => b.length - a.length)[0];
}

/**
 * Lists the namespaces of a site without any of the given routes. A recognised namespace has its neutral name appended:
 * `acme-pictures/v1 (thumbnails/v1)`.
 */
export function unusedNamespaces(
  site: Pick<PublishingSite, 'listed' | 'namespaces'>,
  routes: readonly RouteDeclaration[],
): string[] {
  const used = new Set(routes.map((route) => findNamespace(site, route)));
  return site.listed
    .filter((name) => !used.has(name))
    .map((name) => {
      const neutral = toNeutralPath(name, site.namespaces);
      return neutral === name ? name : `${name} (${neutral})`;
    });
}

function rootNotFoundError(siteUrl: string, failed: readonly UpstreamFailure[]): SortimentError {
  const [first] = failed;
  const unauthorised =
    failed.find((answer) => answer.kind === 'unauthorised') ?? (failed.length === 1 ? first : undefined);
  const hint = 'Set PUBLISHING_URL to the site itself, and PUBLISHING_REST_ROOT if its REST root has another name.';
  if (unauthorised) return upstreamError(unauthorised, { ...PUBLISHING_HINTS, addressHint: hint });
  const tried = failed.map(({ method, url, detail }) => `  [${method}] "${url}": ${detail}`).join('\n');
  return new SortimentError('UPSTREAM_WRONG_ADDRESS', `No REST root found below ${siteUrl}:\n${tried}`, { hint });
}

/**
 * Returns the URL of a route below a REST root. The root is a folder (`https://host/wp-json/`) or, on sites without
 * pretty permalinks, a parameter (`https://host/?rest_route=/`).
 */
export function restAddress(root: string, path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const text = serializeQuery(query);
  return root + path + (root.includes('?') ? text.replace('?', '&') : text);
}
