import type { z } from 'zod';
import { writtenField } from '#contracts/core/index.ts';
import type { HttpMethod } from '#contracts/index.ts';
import { describeParameter, type JsonSchema } from '#origin/platform/http/transport/describe-parameter.ts';
import type { ServedPath, ServedRoute } from '#origin/platform/http/transport/index.ts';
import { describeField, describeResource, withKeywords } from './describe-resource.ts';

export type ParameterDescription = JsonSchema & { required: boolean };

export interface EndpointDescription {
  methods: readonly HttpMethod[];
  allow_batch?: { v1: true };
  /** An empty map prints as a list. */
  args: Record<string, ParameterDescription> | [];
}

export interface PathDescription {
  namespace: string;
  methods: readonly HttpMethod[];
  endpoints: EndpointDescription[];
  schema?: unknown;
  _links?: { self: { href: string }[] };
}

/** What the index says of a path. Only a path without captures has an address of its own. */
export function describePath(
  served: ServedPath,
  namespace: string,
  addressOf: (path: string) => string,
): PathDescription {
  return {
    namespace,
    methods: served.routes.flatMap(({ methods }) => methods),
    endpoints: served.routes.map(describeEndpoint),
    ...(served.path.includes('<') ? {} : { _links: { self: [{ href: addressOf(served.path) }] } }),
  };
}

/** The same with the schema of the resource, as `OPTIONS` tells it. */
export function describePathFully(
  served: ServedPath,
  namespace: string,
  addressOf: (path: string) => string,
): PathDescription {
  const { _links, ...described } = describePath(served, namespace, addressOf);
  const schema = describeResource(served, addressOf);
  return { ...described, ...(schema ? { schema } : {}), ...(_links ? { _links } : {}) };
}

function describeEndpoint({ declaration, methods }: ServedRoute): EndpointDescription {
  const { params, query, body, batch } = declaration;
  const captured = describeAll(params, () => false);
  const sent = { ...describeAll(query, isRequired), ...describeAll(body, isRequired) };
  const args = { ...captured, ...sent };
  return {
    methods,
    ...(batch === 'v1' ? { allow_batch: { v1: true } } : {}),
    args: Object.keys(args).length > 0 ? args : [],
  };
}

function describeAll(
  object: z.ZodObject | undefined,
  required: (schema: z.ZodType) => boolean,
): Record<string, ParameterDescription> {
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

/** What writes a field is described as the field. */
function describeArgument(type: z.ZodType): JsonSchema {
  const field = writtenField(type);
  if (!field) return inDraft4(withKeywords(describeParameter(type), type.meta()?.['describedAs']));
  const { context: _context, readonly: _readonly, ...described } = describeField(field);
  return described;
}

/** Bounds that a number may not reach, as the draft wants them whose schemas the interface speaks. */
function inDraft4({ exclusiveMinimum, exclusiveMaximum, ...plain }: JsonSchema): JsonSchema {
  return {
    ...plain,
    ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : {}),
  };
}

function isRequired(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}
