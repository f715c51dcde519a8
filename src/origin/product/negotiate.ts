import { ProductError } from './authenticate-caller.ts';
import type { Renderer } from './renderers.ts';

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
