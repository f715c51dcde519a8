import type { HttpBindings } from '@hono/node-server';
import { refuseCommon, type RestError } from './rest-error.ts';

/** Larger bodies of JSON and form fields are refused. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** What is taken of strangers: enough for parameters. There is nothing that they may write. */
export const MAX_ANONYMOUS_BYTES = 64 * 1024;
/** What is taken of users before it is known what they may do: a comment of the greatest length, as JSON. */
export const MAX_UNPERMITTED_BYTES = 512 * 1024;

/**
 * The bytes of a body, as they come. What is too large is refused at once where its length is told, else where the
 * limit is passed; the rest is left to `readRest`, so that the refusal arrives.
 */
export async function* boundedBody(
  { request, incoming }: HttpSource,
  maxBytes: number,
  tooLarge: (maxBytes: number) => RestError = bodyTooLarge,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let bytes = 0;
  for await (const chunk of readOn({ request, ...(incoming ? { incoming } : {}) })) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** Reads a body into one buffer that grows: pieces may be of single bytes, and each takes a hundred as an object. */
export async function readBytes(source: HttpSource, maxBytes: number): Promise<Buffer> {
  const body = new ArrayBuffer(0, { maxByteLength: maxBytes });
  for await (const chunk of boundedBody(source, maxBytes)) {
    const bytes = body.byteLength;
    body.resize(bytes + chunk.byteLength);
    new Uint8Array(body, bytes).set(chunk);
  }
  return Buffer.from(body.transferToFixedLength());
}

/** What a request says of the length of its body. Nobody knows how much comes piece by piece. */
export function announcedBytes({ headers }: Request): number {
  return headers.has('transfer-encoding') ? Infinity : Number(headers.get('content-length') ?? 0);
}

/** Web requests have no body under GET and HEAD, HTTP requests may; those are read from the socket. */
function readOn({ request, incoming }: HttpSource): AsyncIterable<Uint8Array> {
  const isBodiless = request.method === 'GET' || request.method === 'HEAD';
  if (isBodiless) return incoming?.iterator({ destroyOnReturn: false }) ?? nothing();
  return request.body?.values({ preventCancel: true }) ?? nothing();
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

export function tooManyFields(maxFields: number): RestError {
  return refuseCommon('rest_body_too_large', `There are more than ${maxFields} fields, the most that are read here.`);
}

export function bodyTooLarge(maxBytes: number): RestError {
  return refuseCommon(
    'rest_body_too_large',
    `The body is larger than ${describeBytes(maxBytes)}, the most that is taken here. Send less at once.`,
  );
}

/** `64 MB`, or bytes below one. */
export function describeBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.floor(bytes / 1024 / 1024)} MB`;
}

export interface HttpSource {
  request: Request;
  incoming?: HttpBindings['incoming'];
}
