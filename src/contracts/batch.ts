import { z } from 'zod';
import { route } from './route.ts';
import { wireList } from './wire.ts';

export const MAX_REQUESTS_PER_BATCH = 25;

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Schema of a map; an empty list counts as an empty map. */
const map = <T extends z.ZodType>(value: T) =>
  z.preprocess((sent) => (Array.isArray(sent) && sent.length === 0 ? {} : sent), z.record(z.string(), value));

/** Description of a batch request in the index. It uses plain types, because clients compare it. */
const REQUESTS_DESCRIBED = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: METHODS, default: 'POST' },
    path: { type: 'string', required: true },
    body: { type: 'object', properties: {}, additionalProperties: true },
    headers: {
      type: 'object',
      properties: {},
      additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
    },
  },
};

const batchedRequest = z.object({
  method: z.enum(METHODS).default('POST').describe('Method'),
  path: z.string().describe('Path below the REST root, with a leading slash, and its query'),
  body: map(z.unknown()).optional().describe('Parameters'),
  headers: map(z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('Headers; credentials are taken from the batch request'),
});

export type BatchedRequest = z.output<typeof batchedRequest>;

/** Response to one request of a batch. */
export const batchedResponse = z.object({
  body: z.unknown(),
  status: z.int(),
  headers: z.union([z.record(z.string(), z.unknown()), z.tuple([])]),
});

export type BatchedResponse = z.output<typeof batchedResponse>;

export const runBatch = route({
  method: 'POST',
  path: 'batch/v1',
  summary: 'Runs several write requests',
  access: 'public',
  body: z.object({
    validation: z
      .enum(['require-all-validate', 'normal'])
      .default('normal')
      .meta({
        description: 'Whether to run no request if one of them is invalid',
        describedAs: { description: undefined },
      }),
    requests: wireList(batchedRequest, { most: MAX_REQUESTS_PER_BATCH }).meta({
      description: 'Requests, in order',
      describedAs: { description: undefined, items: REQUESTS_DESCRIBED },
    }),
  }),
  response: z.object({
    failed: z.literal('validation').optional(),
    responses: z.array(batchedResponse.nullable()),
  }),
  errors: { rest_batch_not_allowed: 400, parse_path_failed: 400 },
});
