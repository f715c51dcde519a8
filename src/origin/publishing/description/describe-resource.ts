import { z } from 'zod';
import { describeParameter, type JsonSchema } from '../transport/describe-parameter.ts';
import type { ServedPath } from '../transport/index.ts';

const CONTEXTS = { v: 'view', e: 'edit', m: 'embed' } as const;

/** The JSON schema of the resource that a path answers with: its fields, and in which contexts they are shown. */
export function describeResource({ routes }: ServedPath): JsonSchema | undefined {
  const read = routes.find(({ declaration }) => declaration.method === 'GET') ?? routes[0];
  const resource = read && resourceOf(read.declaration.response);
  const title = resource?.meta()?.title;
  if (!resource || title === undefined) return undefined;
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title,
    type: 'object',
    properties: describeFields(resource),
  };
}

function resourceOf(response: z.ZodType): z.ZodObject | undefined {
  if (response instanceof z.ZodArray) return resourceOf(response.element as z.ZodType);
  return response instanceof z.ZodObject ? response : undefined;
}

function describeFields(object: z.ZodObject): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(object.shape)
      .filter(([name]) => name !== '_links')
      .map(([name, schema]) => [name, describeField(schema as z.ZodType)]),
  );
}

/** A field with the contexts in which it is shown, and whether only the server fills it. */
export function describeField(schema: z.ZodType): JsonSchema & { context?: string[]; readonly?: true } {
  const inner = unwrap(schema);
  const { contexts, readOnly } = notesOf(schema);
  const properties = inner instanceof z.ZodObject ? { properties: describeFields(inner) } : {};
  return {
    ...describeParameter(schema),
    ...properties,
    ...(typeof contexts === 'string' ? { context: [...contexts].flatMap(wordContext) } : {}),
    ...(readOnly === true ? { readonly: true } : {}),
  };
}

function wordContext(letter: string): string[] {
  return letter === 'v' || letter === 'e' || letter === 'm' ? [CONTEXTS[letter]] : [];
}

/** What was noted of a field, also where it was made optional afterwards. */
function notesOf(schema: z.ZodType): Record<string, unknown> {
  const notes = schema.meta();
  if (notes && 'contexts' in notes) return notes;
  return schema instanceof z.ZodOptional ? notesOf(schema.unwrap() as z.ZodType) : {};
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;
}
