import { Hono } from 'hono';
import { pageResponse, renderPage } from '#origin/platform/accounts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { productViews } from '#origin/product/index.ts';
import type { RouteRegistry } from '#origin/platform/http/index.ts';
import { describeOpenApi, type OpenApiDocument } from './describe-openapi.ts';
import { renderReference } from './render-reference.ts';

/** `/openapi.json` and `/reference/`: what both interfaces are, for programs and for people. */
export function openApiPages(context: OriginContext, registry: RouteRegistry): Hono {
  // Describing some hundred routes takes a while, and they stay the same.
  let described: OpenApiDocument | undefined;
  const document = () =>
    (described ??= describeOpenApi({
      publicUrl: context.publicUrl,
      restRoot: context.restRoot,
      namespaces: context.namespaces,
      served: registry.paths,
      product: productViews(context).map(({ route }) => route),
    }));
  const app = new Hono();
  app.get('/openapi.json', (c) => c.json(document(), 200, { 'Access-Control-Allow-Origin': '*' }));
  app.get('/reference', (c) => c.redirect('/reference/', 301));
  app.get('/reference/', async () =>
    pageResponse(await renderPage(context, { title: 'Schnittstellen', body: renderReference(document()) })),
  );
  return app;
}
