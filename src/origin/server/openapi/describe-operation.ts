import { z } from 'zod';
import type { HttpMethod, RouteDeclaration } from '#contracts/index.ts';
import { describeParameter, type JsonSchema } from '#origin/platform/http/transport/describe-parameter.ts';

export interface OpenApiParameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: OpenApiParameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
  security: Record<string, string[]>[];
}

export interface OperationTarget {
  method: HttpMethod;
  /** Path on the server: `/rest/core/v2/posts/{id}`. */
  address: string;
  tag: string;
  scheme: string;
  /** JSON schema of error bodies. */
  error: object;
}

/** Describes one method of a route from its declaration. */
export function describeOperation(declaration: RouteDeclaration, target: OperationTarget): OpenApiOperation {
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

function parametersOf(schema: z.ZodObject | undefined, location: 'path' | 'query'): OpenApiParameter[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description, ...described } = describeParameter(field as z.ZodType);
    const isRequired = location === 'path' || !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: location, required: isRequired, ...(description ? { description } : {}), schema: described };
  });
}

function describeBody(
  body: z.ZodObject | undefined,
  maxUploadBytes: number | undefined,
): Record<string, { schema: object }> {
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
