import { ProductError, type ProductRequest } from './authenticate-caller.ts';
import type { RouteResponseInput, RouteDeclaration } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

export interface Representation {
  renderer: Renderer;
  /** Spaces to indent JSON by, from `Accept: application/json; indent=4`. */
  indent?: number;
}

interface MediaRange {
  main: string;
  sub: string;
  params: ReadonlyMap<string, string>;
}

const MAX_INDENT = 8;

/**
 * Chooses the response format: the most specific media range of `Accept` first, then the view's own order. `q` is
 * ignored, as on servers of this kind. A non-empty `?format=` selects one renderer, which `Accept` can't refuse.
 *
 * @throws ProductRefusal 404 for a format that the view doesn't have, 406 for an `Accept` it can't satisfy.
 */
export function negotiateFormat(
  renderers: readonly Renderer[],
  accept: string | undefined,
  format: string | undefined,
): Representation {
  const candidates = format ? renderers.filter((renderer) => renderer.format === format) : renderers;
  const [first] = candidates;
  if (!first) throw new ProductError('unknownFormat');
  const ranges = (accept ?? '*/*').split(',').map(parseRange);
  for (const precedence of [3, 2, 1, 0]) {
    const level = ranges.filter((range) => precedenceOf(range) === precedence);
    for (const renderer of candidates) {
      const range = level.find((candidate) => matches(renderer, candidate));
      if (range) return { renderer, ...readIndent(range) };
    }
  }
  if (format) return { renderer: first };
  throw new ProductError('notAcceptable');
}

function parseRange(text: string): MediaRange {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const [main = '', sub = ''] = type.toLowerCase().split('/', 2);
  const params = rest.map((param): [string, string] => {
    const [key = '', value = ''] = param.split('=', 2);
    return [key.trim().toLowerCase(), value.trim().replaceAll('"', '')];
  });
  return { main, sub, params: new Map(params.filter(([key]) => key !== '')) };
}

function precedenceOf({ main, sub, params }: MediaRange): number {
  if (main === '*') return 0;
  if (sub === '*') return 1;
  return [...params.keys()].every((key) => key === 'q') ? 2 : 3;
}

function matches(renderer: Renderer, { main, sub }: MediaRange): boolean {
  return [renderer.mediaType, ...(renderer.alsoFor ?? [])].some((mediaType) => {
    const [type, subtype] = mediaType.split('/');
    return (main === '*' || main === type) && (sub === '*' || sub === subtype);
  });
}

function readIndent({ params }: MediaRange): { indent?: number } {
  const text = params.get('indent');
  if (text === undefined || !/^\d+$/.test(text)) return {};
  const indent = Math.min(Number(text), MAX_INDENT);
  return indent > 0 ? { indent } : {};
}

/** A response format of a view. */
export interface Renderer {
  /** Value of `?format=`. */
  format: string;
  mediaType: string;
  /** Further media types in `Accept` that it satisfies. */
  alsoFor?: readonly string[];
}

export const JSON_RENDERER: Renderer = { format: 'json', mediaType: 'application/json' };

/** HTML page for browsers. */
export const PAGE_RENDERER: Renderer = { format: 'api', mediaType: 'text/html' };

export const DOCUMENT_RENDERER: Renderer = { format: 'html', mediaType: 'text/html' };

/** One JSON object per line. It is the route's only format, so requests for JSON get it too. */
export const LINES_RENDERER: Renderer = {
  format: 'ndjson',
  mediaType: 'application/x-ndjson',
  alsoFor: ['application/ndjson', 'application/jsonl', 'application/json'],
};

/** One address of the interface: its route and its handler. */
export interface ProductView<R extends RouteDeclaration = RouteDeclaration> {
  route: R;
  /** Name in `OPTIONS` responses and in the page's heading. */
  name: string;
  /** In order of preference. */
  renderers: readonly Renderer[];
  /**
   * Returns the value to render, or a finished response.
   *
   * @throws ProductRefusal
   */
  read(context: OriginContext, visit: ProductRequest): Promise<RouteResponseInput<R> | Response>;
}
