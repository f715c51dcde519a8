import type { ProductView } from './product-view.ts';

/** Builds the body of an `OPTIONS` response. */
export function describeView({ name, route, renderers }: ProductView): Record<string, unknown> {
  return {
    name,
    description: `${route.summary}.`,
    renders: renderers.map(({ mediaType }) => mediaType),
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  };
}
