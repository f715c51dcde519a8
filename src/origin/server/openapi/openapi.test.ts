import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { STOCK_NAMESPACES, toWirePath, type RouteDeclaration } from '#contracts/index.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { MODULES } from '../modules.ts';
import { publishingInterface, createPublishingRoutes } from '../publishing/publishing-interface.ts';
import { type OpenApiDocument, openApiPages } from './openapi-pages.ts';

let context: TestContext;
let document: OpenApiDocument;
let reference: Response;
let ask: (path: string, method?: string) => Promise<unknown>;
beforeAll(async () => {
  context = await createTestContext({ namespaces: STOCK_NAMESPACES });
  const routes = createPublishingRoutes(context);
  const pages = openApiPages(context, routes, MODULES);
  const publishing = publishingInterface(context);
  document = (await (await pages.request('/openapi.json')).json()) as OpenApiDocument;
  reference = await pages.request('/reference/');
  ask = async (path, method = 'GET') =>
    (await publishing.request(`http://origin.test/rest/${path}`, { method })).json();
}, 60_000);
afterAll(() => context.store.close());

interface Endpoint {
  methods: string[];
  args: Record<string, unknown>;
}

/** The index renames some captures and omits others. */
function printedCaptures(declaration: RouteDeclaration | undefined): string[] {
  return Object.entries(declaration?.params?.shape ?? {}).flatMap(([name, type]) => {
    const { printedAs = name, describedAs } = (type as z.ZodType).meta() ?? {};
    return describedAs === false ? [] : [String(printedAs)];
  });
}

describe('the OpenAPI document', () => {
  it('is one', async () => {
    const result = await new Validator().validate(structuredClone(document) as never);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('names every operation once', () => {
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((found) => found.operationId));
    expect(ids.length).toBeGreaterThan(30);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes both interfaces under their wire names', () => {
    expect(Object.keys(document.paths['/api/partner/v1/product/{gtin}/'] ?? {})).toEqual(['get']);
    expect(document.paths['/rest/wp/v2/posts']?.['get']?.parameters.map(({ name }) => name)).toContain('per_page');
    expect(document.paths['/rest/core/v2/posts']).toBeUndefined();
  });

  it('has the methods and parameters of the index for every route', async () => {
    const index = (await ask('')) as { routes: Record<string, { endpoints: Endpoint[] }> };
    const patterns = Object.entries(index.routes);
    const served = createPublishingRoutes(context).paths;
    expect(patterns).toHaveLength(served.length);
    for (const { path, pattern, routes } of served) {
      const address = `/rest/${toWirePath(path, STOCK_NAMESPACES).replace(/<(\w+)>/g, '{$1}')}`;
      const item = document.paths[address] ?? {};
      for (const { methods, args } of index.routes[pattern || '/']?.endpoints ?? []) {
        for (const method of methods) {
          const operation = item[method.toLowerCase()];
          const body = Object.values(operation?.requestBody?.content ?? {}).at(-1)?.schema as
            { properties?: object } | undefined;
          const named = [
            ...(operation?.parameters ?? []).flatMap((parameter) => (parameter.in === 'path' ? [] : parameter.name)),
            ...Object.keys(body?.properties ?? {}),
            ...printedCaptures(routes.find((route) => route.methods.some((name) => name === method))?.declaration),
          ];
          const expected = Object.keys(args);
          expect([...new Set(named)].filter((name) => name !== 'file').toSorted(), `${method} ${address}`).toEqual(
            expected.toSorted(),
          );
        }
      }
    }
  });

  it('matches the OPTIONS responses', async () => {
    const options = (await ask('wp/v2/posts', 'OPTIONS')) as { endpoints: Endpoint[] };
    const list = options.endpoints.find(({ methods }) => methods.includes('GET'));
    const described = document.paths['/rest/wp/v2/posts']?.['get']?.parameters ?? [];
    for (const { name, schema, description } of described) {
      const { required: _, ...documented } = (list?.args[name] ?? {}) as Record<string, unknown>;
      expect({ ...(description ? { description } : {}), ...schema }, name).toEqual(documented);
    }
  });
});

describe('the reference page', () => {
  it('has no scripts, and holds every operation', async () => {
    const markup = await reference.text();
    expect(markup).not.toContain('<script');
    for (const item of Object.values(document.paths)) {
      for (const { operationId } of Object.values(item)) expect(markup).toContain(`id="${operationId}"`);
    }
  });
});
