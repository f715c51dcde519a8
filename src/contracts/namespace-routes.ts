import { listTaxonomies } from './core/routes.ts';
import { bootstrapPlayer, getPlayerSetup } from './player/index.ts';
import { getShow, listEpisodeMedia } from './podcast/index.ts';
import type { RouteDeclaration } from './route.ts';
import { getHead } from './seo/head.ts';
import { getPictureSizes } from './thumbnails/routes.ts';

/**
 * Neutral name of a namespace -> the route that identifies it on any server. The longer of two names with the same
 * prefix comes first.
 */
export const NAMESPACE_ROUTES: Readonly<Record<string, RouteDeclaration>> = {
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
export function findServingNamespaces(neutral: string, patterns: readonly string[]): string[] {
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
