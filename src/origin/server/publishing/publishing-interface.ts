import { Hono } from 'hono';
import { serveAbilities } from '#origin/namespaces/abilities/index.ts';
import { serveBatch } from '#origin/platform/http/batch/index.ts';
import { serveBlockEditor } from '#origin/namespaces/block-editor/index.ts';
import { serveCore } from '#origin/namespaces/core/index.ts';
import { embedPages, serveOembed } from '#origin/namespaces/oembed/index.ts';
import { getProduct } from '#origin/product/get-product.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { serveSiteHealth } from '#origin/namespaces/site-health/index.ts';
import { answerInForm } from './answer-in-form.ts';
import { serveNamespaceIndexes, serveSiteIndex } from './description/index.ts';
import { httpEndpoint } from './http-endpoint.ts';
import { RouteRegistry } from '#origin/platform/http/transport/index.ts';

/** A namespace's folder: serves its routes. */
export type Room = (registry: RouteRegistry) => void;

/** Every namespace of the interface; a new one is added here. */
const ROOMS: readonly Room[] = [
  serveBatch,
  serveOembed,
  serveCore,
  serveSiteHealth,
  serveBlockEditor,
  (registry) => serveAbilities(registry, [getProduct]),
];

/** Every route of the interface, under the names that the context gives its namespaces. */
export function publishingRoutes(context: OriginContext, rooms: readonly Room[] = ROOMS): RouteRegistry {
  const registry = new RouteRegistry(context.namespaces);
  serveSiteIndex(registry);
  for (const serve of rooms) serve(registry);
  serveNamespaceIndexes(registry);
  return registry;
}

/** The publishing interface, answering at `/<restRoot>`, below it, and at `/?rest_route=`. */
export function publishingInterface(context: OriginContext, registry = publishingRoutes(context)): Hono {
  const answer = answerInForm(httpEndpoint(context, registry), context);
  const app = new Hono();
  const root = `/${context.restRoot}`;
  app.all(root, (c) => answer(c, ''));
  app.all(`${root}/*`, (c) => answer(c, new URL(c.req.raw.url).pathname.slice(root.length)));
  app.all('/', (c, next) => {
    const path = c.req.query('rest_route');
    return path === undefined ? next() : answer(c, path);
  });
  app.get('*', embedPages(context));
  return app;
}
