import { z } from 'zod';
import { getSiteIndex, namespaceIndex } from '#contracts/core/site-resources.ts';
import { findResourceField } from '#contracts/core/field.ts';
import { route, toWirePath } from '#contracts/index.ts';
import { authorizationPath } from '#origin/platform/accounts/authorization.ts';
import { addCuries, type Links } from '#origin/platform/content/present-content.ts';
import {
  describeParameter,
  isMarkedRequired,
  isRequired,
  type JsonSchema,
} from '#origin/platform/http/transport/describe-parameter.ts';
import { item, type Addresses } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry, ServedPath, ServedRoute } from '#origin/platform/http/transport/route-registry.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { offsetHours } from '#contracts/site-clock.ts';
import type { ResourceAction } from '#contracts/core/errors.ts';

type RouteMap = Record<string, PathDescription>;
type PathDescription = ReturnType<typeof describePathWithSchema>;

/** Serves the site index. The namespace indexes follow once all modules are registered. */
export function serveSiteIndex(registry: RouteRegistry, modules: readonly NamespaceModule[]): void {
  const routes = routeMaps(registry, () => inOrder(registry));
  registry.serve(getSiteIndex, async (request) => {
    const site = await loadSite(request);
    const { addresses, query } = request;
    const links = await Promise.all(modules.map(({ siteLinks }) => siteLinks?.(request)));
    const further: Links = Object.assign({}, ...links);
    return item({
      name: escapeHtml(site.name),
      description: escapeHtml(site.description),
      url: addresses.site,
      home: addresses.site,
      gmt_offset: offsetHours(new Date(), site.timezone),
      timezone_string: site.timezone,
      page_for_posts: 0,
      page_on_front: 0,
      show_on_front: 'posts',
      namespaces: registry.servedNamespaces.map((name) => wireName(registry, name)),
      authentication: {
        'application-passwords': {
          endpoints: { authorization: `${addresses.site}${authorizationPath(registry.namespaces)}` },
        },
      },
      routes: request.fields.wants('routes') ? routes(addresses, query.context) : {},
      site_logo: 0,
      site_icon: 0,
      site_icon_url: '',
      _links: addCuries({
        help: [{ href: 'https://developer.wordpress.org/rest-api/' }],
        ...further,
      }),
    });
  });
}

export function serveNamespaceIndexes(registry: RouteRegistry): void {
  for (const namespace of registry.servedNamespaces) {
    const name = wireName(registry, namespace);
    const declaration = route({
      method: 'GET',
      path: namespace,
      summary: `Routes of ${namespace}`,
      access: 'public',
      query: z.object({ namespace: z.unknown().default(name), context: z.unknown().default('view') }),
      response: namespaceIndex,
    });
    const routes = routeMaps(registry, () => inOrder(registry).filter((served) => served.namespace === namespace));
    registry.serve(declaration, ({ addresses, query }) =>
      item({
        namespace: name,
        routes: routes(addresses, query.context),
        _links: { up: [{ href: addresses.rest('') }] },
      }),
    );
  }
}

/** Describes paths on the first request. Routes and addresses don't change afterwards. */
function routeMaps(
  registry: RouteRegistry,
  paths: () => readonly ServedPath[],
): (addresses: Addresses, context: unknown) => RouteMap {
  const described: { help?: RouteMap; default?: RouteMap } = {};
  return (addresses, context) => {
    const kind = context === 'help' ? 'help' : 'default';
    const describe = context === 'help' ? describePathWithSchema : describePath;
    return (described[kind] ??= Object.fromEntries(
      paths().map((served) => [
        served.pattern,
        describe(served, wireName(registry, served.namespace), (path) => addresses.rest(path)),
      ]),
    ));
  };
}

/** Sorts paths: routes of the root first, then by namespace, each starting with its index. */
function inOrder(registry: RouteRegistry): ServedPath[] {
  const rank = ({ namespace, path }: ServedPath) =>
    (namespace === '' ? 0 : 1 + registry.servedNamespaces.indexOf(namespace)) * 2 + (path === namespace ? 0 : 1);
  return registry.paths.toSorted((a, b) => rank(a) - rank(b));
}

function wireName(registry: RouteRegistry, namespace: string): string {
  return toWirePath(namespace, registry.namespaces);
}

/** Describes a path for the index. Only a path without captures has a link to itself. */
function describePath(served: ServedPath, namespace: string, addressOf: (path: string) => string) {
  return {
    namespace,
    methods: served.routes.flatMap(({ methods }) => methods),
    endpoints: served.routes.map(describeEndpoint),
    ...(served.path.includes('<') ? {} : { _links: { self: [{ href: addressOf(served.path) }] } }),
  };
}

/** Describes a path with the schema of its resource, as `OPTIONS` returns it. */
export function describePathWithSchema(served: ServedPath, namespace: string, addressOf: (path: string) => string) {
  const { _links, ...described } = describePath(served, namespace, addressOf);
  const schema = describeResource(served, addressOf);
  return { ...described, ...(schema ? { schema } : {}), ...(_links ? { _links } : {}) };
}

function describeEndpoint({ declaration, methods }: ServedRoute) {
  const { params, query, body, batch } = declaration;
  // A path without its captures is another route, so stock servers mark few captures as required.
  const captured = describeAll(params, isMarkedRequired);
  const parameters = { ...describeAll(query, isRequired), ...describeAll(body, isRequired) };
  const args = { ...captured, ...parameters };
  return {
    methods: [...methods],
    ...(batch === 'v1' ? { allow_batch: { v1: true } } : {}),
    // An empty map is encoded as a list.
    args: Object.keys(args).length > 0 ? args : [],
  };
}

function describeAll(object: z.ZodObject | undefined, required: (schema: z.ZodType) => boolean) {
  return Object.fromEntries(
    Object.entries(object?.shape ?? {}).flatMap(([name, schema]) => {
      const type = schema as z.ZodType;
      const { printedAs, describedAs } = type.meta() ?? {};
      if (describedAs === false) return [];
      const description = { ...describeArgument(type), required: required(type) };
      return [[typeof printedAs === 'string' ? printedAs : name, description]];
    }),
  );
}

/** Describes an argument like the field that it writes. */
function describeArgument(type: z.ZodType): JsonSchema {
  const field = findResourceField(type);
  if (!field) {
    const described = markMembers(describeParameter(type, { marksRequired: true }));
    return inDraft4(withKeywords(described, type.meta()?.['describedAs']));
  }
  const { context: _context, readonly: _readonly, ...described } = describeField(field);
  return described;
}

/** Marks required members of an object individually, as arguments do. */
function markMembers({ required, properties, ...described }: JsonSchema): JsonSchema {
  if (!properties) return described;
  const isListed = (name: string) => Array.isArray(required) && required.includes(name);
  const marked = Object.entries(properties).map(([name, member]): [string, JsonSchema] => [
    name,
    isListed(name) ? { ...member, required: true } : member,
  ]);
  return { ...described, properties: Object.fromEntries(marked) };
}

/** Converts exclusive bounds to JSON Schema draft 4. */
function inDraft4({ exclusiveMinimum, exclusiveMaximum, ...plain }: JsonSchema): JsonSchema {
  return {
    ...plain,
    ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : {}),
  };
}

const CONTEXTS: Readonly<Record<string, string>> = { v: 'view', e: 'edit', m: 'embed' };

/**
 * Describes the resource that a path returns: its fields, the contexts that show them, and its actions. Undefined for
 * paths that only run actions.
 */
function describeResource({ routes, path }: ServedPath, addressOf: (path: string) => string) {
  const read = routes.find(({ declaration }) => declaration.method === 'GET');
  if (!read) return undefined;
  const resource = resourceOf(read.declaration.response) ?? read.declaration.response;
  const { title, describedAs, actions } = resource.meta() ?? {};
  if (title === undefined) return undefined;
  // Address of the row with its ID in braces.
  const href = `${addressOf(path.replace(/\/<id>$/, ''))}/{id}`;
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title,
    type: 'object',
    ...(resource instanceof z.ZodObject ? { properties: describeFields(resource) } : {}),
    ...(typeof describedAs === 'object' ? describedAs : {}),
    ...(Array.isArray(actions) ? { links: actions.map((action) => describeAction(action, href)) } : {}),
  };
}

function describeAction({ name, title, fields }: ResourceAction, href: string) {
  const targetSchema = { type: 'object', properties: fields };
  return { rel: `https://api.w.org/action-${name}`, title, href, targetSchema };
}

function resourceOf(response: z.ZodType): z.ZodObject | undefined {
  if (response instanceof z.ZodArray) return resourceOf(response.element as z.ZodType);
  return response instanceof z.ZodObject ? response : undefined;
}

function describeFields(object: z.ZodObject): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(object.shape)
      .filter(([name, schema]) => name !== '_links' && metadataOf(schema as z.ZodType)['describedAs'] !== false)
      .map(([name, schema]) => [name, describeField(schema as z.ZodType)]),
  );
}

/** Describes a field with its contexts, and whether it is read-only. */
function describeField(schema: z.ZodType): JsonSchema & { context?: string[]; readonly?: true } {
  const inner = unwrap(schema);
  const { contexts, readOnly, describedAs } = metadataOf(schema);
  const properties = inner instanceof z.ZodObject ? { properties: describeFields(inner) } : {};
  return {
    ...withKeywords({ ...describeParameter(schema), ...properties }, describedAs),
    ...(typeof contexts === 'string' ? { context: [...contexts].flatMap((letter) => CONTEXTS[letter] ?? []) } : {}),
    ...(readOnly === true ? { readonly: true } : {}),
  };
}

/** Adds the keywords of a declaration to a description; `undefined` removes a keyword. */
function withKeywords(described: JsonSchema, describedAs: unknown): JsonSchema {
  if (typeof describedAs !== 'object' || describedAs === null) return described;
  const all = Object.entries({ ...described, ...describedAs });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** Reads the metadata of a field, even if the field was made optional afterwards. */
function metadataOf(schema: z.ZodType): Record<string, unknown> {
  const metadata = schema.meta();
  if (metadata && 'contexts' in metadata) return metadata;
  return schema instanceof z.ZodOptional ? metadataOf(schema.unwrap() as z.ZodType) : {};
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;
}
