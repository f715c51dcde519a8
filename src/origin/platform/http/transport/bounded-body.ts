import type { HttpBindings } from '@hono/node-server';
import { createCommonError, type RestError } from './rest-error.ts';
import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';

/** Maximum size of JSON and form bodies. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Maximum for anonymous callers, who send parameters only. */
export const MAX_ANONYMOUS_BYTES = 64 * 1024;
/** Maximum for users before authorization: the longest comment as JSON. */
export const MAX_UNPERMITTED_BYTES = 512 * 1024;

/**
 * Streams a body with a size limit.
 *
 * Throws immediately if the declared length is too large, else when the limit is exceeded. The rest is left to
 * `drainRequest`, so that the error response arrives.
 */
export async function* boundedBody(
  { request, incoming }: HttpSource,
  maxBytes: number,
  tooLarge: (maxBytes: number) => RestError = createBodyTooLargeError,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let bytes = 0;
  for await (const chunk of readChunks({ request, ...(incoming ? { incoming } : {}) })) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** Reads a body into one growing buffer, as chunks may be single bytes and cost a hundred each as objects. */
export async function readBytes(source: HttpSource, maxBytes: number): Promise<Buffer> {
  const body = new ArrayBuffer(0, { maxByteLength: maxBytes });
  for await (const chunk of boundedBody(source, maxBytes)) {
    const bytes = body.byteLength;
    body.resize(bytes + chunk.byteLength);
    new Uint8Array(body, bytes).set(chunk);
  }
  return Buffer.from(body.transferToFixedLength());
}

/** Returns the declared length of the body. Infinite for chunked transfer. */
export function getContentLength({ headers }: Request): number {
  return headers.has('transfer-encoding') ? Infinity : Number(headers.get('content-length') ?? 0);
}

/** Web requests have no body for GET and HEAD, but HTTP requests may; it is read from the socket. */
function readChunks({ request, incoming }: HttpSource): AsyncIterable<Uint8Array> {
  const isBodiless = request.method === 'GET' || request.method === 'HEAD';
  if (isBodiless) return incoming?.iterator({ destroyOnReturn: false }) ?? emptyBody();
  return request.body?.values({ preventCancel: true }) ?? emptyBody();
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

export function createTooManyFieldsError(maxFields: number): RestError {
  return createCommonError('rest_body_too_large', `The request has more than ${maxFields} fields.`);
}

export function createBodyTooLargeError(maxBytes: number): RestError {
  return createCommonError(
    'rest_body_too_large',
    `The body is larger than ${describeBytes(maxBytes)}. Send less data per request.`,
  );
}

/** Formats a size as `64 MB`, or in bytes below one megabyte. */
export function describeBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.floor(bytes / 1024 / 1024)} MB`;
}

export interface HttpSource {
  request: Request;
  incoming?: HttpBindings['incoming'];
}

/** @throws RestError `rest_response_too_large` if the size exceeds the limit */
export function checkResponseSize(bytes: number, maxBytes = MAX_RESPONSE_BYTES): void {
  if (bytes > maxBytes) throw createResponseTooLargeError();
}

export function createResponseTooLargeError(): RestError {
  return createCommonError(
    'rest_response_too_large',
    `The response would be larger than ${describeBytes(MAX_RESPONSE_BYTES)}. Ask for fewer items with "per_page".`,
  );
}

/**
 * Presents rows one at a time, so that a list needs no more memory than its largest row.
 *
 * @throws RestError `rest_response_too_large` as soon as several rows exceed the limit
 */
export async function presentRows<Row, Shown>(
  rows: readonly Row[],
  present: (row: Row) => Promise<Shown>,
): Promise<Shown[]> {
  const presented: Shown[] = [];
  let letters = 0;
  for (const row of rows) {
    const shown = await present(row);
    letters += countLetters(shown);
    if (presented.length > 0) checkResponseSize(letters);
    presented.push(shown);
  }
  return presented;
}

function countLetters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countLetters(inner), 0);
}
