import type { Readable } from 'node:stream';
import {
  openResponse,
  describeFailure,
  MAX_REDIRECTS,
  redirectTarget,
  type Exchange,
  type ExchangeContext,
  type TransportRequest,
} from './exchange.ts';
import { BodyError, toBodyError } from './read-body.ts';

/** Response whose body is read as a stream. */
export type BodyExchange =
  | {
      outcome: 'answered';
      status: number;
      headers: Readonly<Record<string, string>>;
      /**
       * Throws a BodyError if the body is truncated, stalls or arrives too slowly. Returning early closes the
       * connection.
       */
      chunks: AsyncGenerator<Buffer, undefined>;
      /** Closes the connection without reading the body. */
      discard(): void;
    }
  | Extract<Exchange, { outcome: 'failed' }>;

/** Minimum rate of a download; a slower server would block the run. */
const MIN_BYTES_PER_SECOND = 16 * 1024;

/**
 * Sends a request, follows the allowed redirects, and returns the body in chunks as they arrive. Rejects only when the
 * signal aborts.
 * @param transportRequest `deadlineMs` limits the whole body.
 */
export async function openBody(transportRequest: TransportRequest, context: ExchangeContext): Promise<BodyExchange> {
  const signal = context.signal ?? new AbortController().signal;
  const uncompressed = { ...transportRequest, acceptEncoding: 'identity' };
  try {
    let url = new URL(transportRequest.url);
    for (let hops = 0; ; hops += 1) {
      const { statusCode: status, headers, body } = await openResponse(url, uncompressed, context, signal);
      body.on('error', () => undefined);
      const next = hops < MAX_REDIRECTS && redirectTarget({ status, headers }, url, transportRequest);
      if (!next) {
        const chunks = readChunks(body, transportRequest, context);
        return { outcome: 'answered', status, headers, chunks, discard: () => void body.destroy() };
      }
      body.destroy();
      url = next;
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    return describeFailure(error, undefined);
  }
}

async function* readChunks(
  body: Readable,
  { deadlineMs }: TransportRequest,
  context: ExchangeContext,
): AsyncGenerator<Buffer, undefined> {
  let bytes = 0;
  let previousBytes = 0;
  const minBytes = (MIN_BYTES_PER_SECOND * context.timeoutMs) / 1000;
  const rateCheck = setInterval(() => {
    if (bytes - previousBytes < minBytes)
      body.destroy(new BodyError(`arrived slower than ${MIN_BYTES_PER_SECOND} bytes per second`, true));
    previousBytes = bytes;
  }, context.timeoutMs);
  const deadline =
    deadlineMs === undefined
      ? undefined
      : setTimeout(() => body.destroy(new BodyError(`was not complete after ${deadlineMs} ms`, true)), deadlineMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    const { problem, transient } = describeFailure(toBodyError(error), undefined);
    throw new BodyError(problem, transient);
  } finally {
    clearInterval(rateCheck);
    clearTimeout(deadline);
    body.destroy();
  }
  return undefined;
}
