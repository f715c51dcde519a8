import { Hono } from 'hono';
import { html } from 'hono/html';
import { toWirePath, type RouteDeclaration, type HttpMethod } from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { pageResponse, renderPage, renderTable, type Html } from '#origin/platform/accounts/account-page.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { ORIGIN_CHANGED } from '#origin/platform/events/announce.ts';
import type { RouteRegistry, ServedPath } from '#origin/platform/http/transport/route-registry.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { listProductViews } from '#origin/product/product-interface.ts';
import { z } from 'zod';
import { describeParameter, type JsonSchema } from '#origin/platform/http/transport/describe-parameter.ts';

const PUBLISHING_ERROR = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, data: { type: ['object', 'null'] } },
  required: ['code', 'message'],
};

const PRODUCT_ERROR = { type: 'object', properties: { detail: { type: 'string' } } };

const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <token>`' },
  user: { type: 'http', scheme: 'basic', description: 'User name and application password' },
};

/** Serves `/openapi.json` and `/reference/`, the machine-readable and human-readable description of both interfaces. */
export function openApiPages(context: OriginContext, registry: RouteRegistry, modules: readonly NamespaceModule[]) {
  // Cached, because describing some hundred routes takes a while and they don't change.
  let described: OpenApiDocument | undefined;
  const document = () => (described ??= describeOpenApi(context, registry.paths, modules));
  let encoded: string | undefined;
  const headers = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' };
  const app = new Hono();
  app.get('/openapi.json', (c) => c.body((encoded ??= JSON.stringify(document())), 200, headers));
  app.get('/reference', (c) => c.redirect('/reference/', 301));
  app.get('/reference/', async () =>
    pageResponse(await renderPage(context, { title: 'Schnittstellen', body: renderReference(document(), modules) })),
  );
  return app;
}

/** Renders the document as a page: contents, then every route with its parameters. */
function renderReference({ paths, tags }: OpenApiDocument, modules: readonly NamespaceModule[]): Html {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
  return html`<h1>Schnittstellen</h1>
    <p lang="en">
      Every route of both interfaces, generated from the route declarations. Machine-readable:
      <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
    </p>
    <ul lang="en">
      ${tags.map(({ name }) => html`<li><a href="#${anchor(name)}">${name}</a></li>`)}
    </ul>
    ${tags.map(
      ({ name, description }) =>
        html`<section lang="en">
          <h2 id="${anchor(name)}">${name}</h2>
          ${description === undefined ? '' : html`<p>${description}</p>`}
          ${operations.filter((operation) => operation.tags.includes(name)).map(renderOperation)}
        </section>`,
    )}
    <section lang="en">
      <h2>Events</h2>
      <p>Webhook receivers are notified when something is created, changed or deleted:</p>
      <ul>
        ${Object.entries(eventsOf(modules)).map(([what, meaning]) => html`<li><code>${what}</code> ${meaning}</li>`)}
      </ul>
    </section>`;
}

function renderOperation(operation: OpenApiOperation & { path: string; method: string }): Html {
  const { path, method, summary, parameters, requestBody, responses, operationId, security } = operation;
  const isOpen = security.some((scheme) => Object.keys(scheme).length === 0);
  return html`<details id="${operationId}">
    <summary><code>${method} ${path}</code> ${summary}</summary>
    <p>${isOpen ? 'Public.' : 'Requires authentication.'} ${responses['default']?.description}</p>
    ${parameters.length > 0 ? renderParameters(`Parameters of ${operationId}`, parameters) : ''}
    ${requestBody ? html`<p>Body: <code>${Object.keys(requestBody.content).join(', ')}</code></p>` : ''}
    ${requestBody ? renderParameters(`Fields of ${operationId}`, fieldsOf(requestBody.content)) : ''}
  </details>`;
}

function fieldsOf(content: Record<string, { schema: object }>): OpenApiParameter[] {
  const schema = (content['application/json'] ?? content['multipart/form-data'])?.schema;
  const properties = (schema as { properties?: Record<string, JsonSchema> } | undefined)?.properties;
  return Object.entries(properties ?? {}).map(([name, { description, ...field }]) => ({
    name,
    in: 'query',
    required: false,
    ...(description ? { description } : {}),
    schema: field,
  }));
}

function renderParameters(label: string, parameters: readonly OpenApiParameter[]): Html {
  return renderTable(
    label,
    ['Name', 'Meaning', 'Schema'],
    parameters.map(({ name, description = '', required, schema }) => [
      html`<code>${name}</code>${required ? ' (required)' : ''}`,
      description,
      html`<code>${JSON.stringify(schema)}</code>`,
    ]),
  );
}

function anchor(name: string): string {
  return name.replace(/[^a-z0-9]+/gi, '-');
}

export type OpenApiDocument = ReturnType<typeof describeOpenApi>;
type OpenApiOperation = ReturnType<typeof describeOperation>;
type OpenApiParameter = ReturnType<typeof parametersOf>[number];

/** Describes both interfaces as OpenAPI 3.1 from their route declarations. */
function describeOpenApi(context: OriginContext, served: readonly ServedPath[], modules: readonly NamespaceModule[]) {
  const { publicUrl, restRoot, namespaces } = context;
  /** Operations by path and lower-case method. */
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const add = (declaration: RouteDeclaration, target: OperationTarget) => {
    (paths[target.address] ??= {})[target.method.toLowerCase()] ??= describeOperation(declaration, target);
  };
  for (const { route: declaration } of listProductViews(context)) {
    const { method } = declaration;
    const address = `/${PRODUCT_ROOT}${template(declaration.path)}`;
    add(declaration, { method, address, tag: 'product interface', scheme: 'token', error: PRODUCT_ERROR });
  }
  for (const { path, namespace, routes } of served) {
    const address = `/${restRoot}/${template(toWirePath(path, namespaces))}`;
    for (const { declaration, methods } of routes)
      for (const method of methods)
        add(declaration, { method, address, tag: namespace || 'index', scheme: 'user', error: PUBLISHING_ERROR });
  }
  const tags = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.tags)),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sortiment',
      version: '1',
      description: 'The product interface and the publishing interface of this origin.',
    },
    servers: [{ url: publicUrl }],
    tags: [...tags].map((name) => ({
      name,
      description: modules.find((module) => module.namespaces.includes(name))?.description,
    })),
    paths,
    webhooks: { [ORIGIN_CHANGED]: { post: describeEvents(eventsOf(modules)) } },
    components: { securitySchemes: SECURITY_SCHEMES },
  };
}

/** Converts `core/v2/posts/<id>` to `core/v2/posts/{id}`. */
function template(path: string): string {
  return path.replace(/<(\w+)>/g, '{$1}');
}

/** Lists event subjects with their descriptions: content kinds and further events of the modules. */
function eventsOf(modules: readonly NamespaceModule[]): Record<string, string> {
  const kinds = modules.flatMap(({ contentKinds = [] }) => contentKinds);
  return Object.assign(
    Object.fromEntries(kinds.filter(({ isFile }) => !isFile).map(({ type, name }) => [type, `Content of ${name}`])),
    ...modules.map(({ events = {} }) => events),
  );
}

function describeEvents(events: Record<string, string>): object {
  const what = { type: 'string', oneOf: Object.entries(events).map(([name, title]) => ({ const: name, title })) };
  const action = { type: 'string', enum: ['created', 'updated', 'deleted'] };
  const change = {
    type: 'object',
    properties: { what, id: { type: 'string' }, action },
    required: ['what', 'id', 'action'],
  };
  const changes = { type: 'array', items: change };
  const data = { type: 'object', properties: { changes, count: { type: 'integer' } } };
  const schema = { type: 'object', properties: { type: { const: ORIGIN_CHANGED }, data } };
  return {
    summary: 'Something was created, changed or deleted',
    requestBody: { content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Accepted' } },
  };
}

interface OperationTarget {
  method: HttpMethod;
  /** Path on the server: `/rest/core/v2/posts/{id}`. */
  address: string;
  tag: string;
  scheme: string;
  /** JSON schema of error bodies. */
  error: object;
}

/** Describes one method of a route from its declaration. */
function describeOperation(declaration: RouteDeclaration, target: OperationTarget) {
  const { params, query, body, maxUploadBytes, summary, path, access, errors = {} } = declaration;
  const { method, address, tag, scheme, error } = target;
  const codes = Object.keys(errors);
  const errorCodes = codes.length > 0 ? ` Error codes of this route: ${codes.join(', ')}.` : '';
  return {
    operationId: nameOf(method, address),
    summary,
    tags: [tag],
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body || maxUploadBytes ? { requestBody: { content: describeBody(body, maxUploadBytes) } } : {}),
    responses: {
      [method === 'POST' && !path.endsWith('>') ? '201' : '200']: {
        description: 'Successful response',
        content: { [mediaTypeOf(declaration)]: { schema: describeResponse(declaration.response) } },
      },
      default: {
        description: `Error with a message and a code.${errorCodes}`,
        content: { 'application/json': { schema: error } },
      },
    },
    // Public routes accept credentials but don't require them.
    security: access === 'public' ? [{}, { [scheme]: [] }] : [{ [scheme]: [] }],
  };
}

function nameOf(method: HttpMethod, address: string): string {
  const words = address.split(/[^A-Za-z0-9]+/);
  return [method.toLowerCase(), ...words.filter(Boolean)].join('_');
}

function parametersOf(schema: z.ZodObject | undefined, location: 'path' | 'query') {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description, ...described } = describeParameter(field as z.ZodType);
    const isRequired = location === 'path' || !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: location, required: isRequired, ...(description ? { description } : {}), schema: described };
  });
}

function describeBody(body: z.ZodObject | undefined, maxUploadBytes: number | undefined) {
  const properties = Object.fromEntries(
    Object.entries(body?.shape ?? {}).map(([name, field]) => [
      name,
      describeParameter(field as z.ZodType, { marksRequired: true }),
    ]),
  );
  const fields = { type: 'object', properties };
  if (maxUploadBytes === undefined) {
    return { 'application/json': { schema: fields }, 'application/x-www-form-urlencoded': { schema: fields } };
  }
  const file = { type: 'string', format: 'binary', maxLength: maxUploadBytes };
  return {
    '*/*': { schema: file },
    'multipart/form-data': { schema: { type: 'object', properties: { ...properties, file } } },
  };
}

/** Field metadata for the index that is not a JSON Schema keyword. */
const INDEX_METADATA = ['contexts', 'describedAs', 'actions', 'printedAs'];

function describeResponse(schema: z.ZodType): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => INDEX_METADATA.forEach((keyword) => delete jsonSchema[keyword]),
  });
  return described;
}

function mediaTypeOf({ response, path }: RouteDeclaration): string {
  if (!(response instanceof z.ZodString)) return 'application/json';
  return path.startsWith('export') ? 'application/x-ndjson' : 'text/html';
}
