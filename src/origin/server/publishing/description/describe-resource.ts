import { z } from 'zod';
import type { ResourceAction } from '#contracts/core/actions.ts';
import { describeParameter, type JsonSchema } from '#origin/platform/http/transport/describe-parameter.ts';
import type { ServedPath } from '#origin/platform/http/transport/index.ts';

const CONTEXTS = { v: 'view', e: 'edit', m: 'embed' } as const;

/** Schema of a resource: its fields, the contexts that show them, and its actions. */
export type ResourceDescription = JsonSchema & { links?: ActionDescription[] };

interface ActionDescription {
  rel: string;
  title: string;
  /** Address of the row with its ID in braces. */
  href: string;
  targetSchema: { type: 'object'; properties: Readonly<Record<string, unknown>> };
}

/** Describes the resource that a path returns; undefined for paths that only run actions. */
export function describeResource(
  { routes, path }: ServedPath,
  addressOf: (path: string) => string,
): ResourceDescription | undefined {
  const read = routes.find(({ declaration }) => declaration.method === 'GET');
  if (!read) return undefined;
  const resource = resourceOf(read.declaration.response) ?? read.declaration.response;
  const { title, describedAs, actions } = resource.meta() ?? {};
  if (title === undefined) return undefined;
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title,
    type: 'object',
    ...(resource instanceof z.ZodObject ? { properties: describeFields(resource) } : {}),
    ...(typeof describedAs === 'object' ? describedAs : {}),
    ...(Array.isArray(actions)
      ? { links: actions.map(describeActionAt(`${addressOf(collectionOf(path))}/{id}`)) }
      : {}),
  };
}

function collectionOf(path: string): string {
  return path.replace(/\/<id>$/, '');
}

function describeActionAt(href: string): (action: ResourceAction) => ActionDescription {
  return ({ name, title, fields }) => ({
    rel: `https://api.w.org/action-${name}`,
    title,
    href,
    targetSchema: { type: 'object', properties: fields },
  });
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
export function describeField(schema: z.ZodType): JsonSchema & { context?: string[]; readonly?: true } {
  const inner = unwrap(schema);
  const { contexts, readOnly, describedAs } = metadataOf(schema);
  const properties = inner instanceof z.ZodObject ? { properties: describeFields(inner) } : {};
  return {
    ...withKeywords({ ...describeParameter(schema), ...properties }, describedAs),
    ...(typeof contexts === 'string' ? { context: [...contexts].flatMap(expandContext) } : {}),
    ...(readOnly === true ? { readonly: true } : {}),
  };
}

/** Adds the keywords of a declaration to a description; `undefined` removes a keyword. */
export function withKeywords(described: JsonSchema, describedAs: unknown): JsonSchema {
  if (typeof describedAs !== 'object' || describedAs === null) return described;
  const all = Object.entries({ ...described, ...describedAs });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

function expandContext(letter: string): string[] {
  return letter === 'v' || letter === 'e' || letter === 'm' ? [CONTEXTS[letter]] : [];
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
