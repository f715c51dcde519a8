import type { Readable } from 'node:stream';
import {
  begin,
  describeFailure,
  MAX_REDIRECTS,
  redirectTarget,
  type Exchange,
  type ExchangeContext,
  type TransportRequest,
} from './exchange.ts';
import { BodyError, bodyFault } from './read-body.ts';

/** Outcome of a request whose body is read as it arrives. */
export type BodyExchange =
  | {
      outcome: 'answered';
      status: number;
      headers: Readonly<Record<string, string>>;
      /** Throws a BodyError when the body is cut off, stalls or comes too slowly. Ends the connection when left early. */
      chunks: AsyncGenerator<Buffer, undefined>;
      /** Ends the connection without reading. */
      discard(): void;
    }
  | Extract<Exchange, { outcome: 'failed' }>;

/** Slower than any line fit for audio: a server this slow would only keep a run from ending. */
const MIN_BYTES_PER_SECOND = 16 * 1024;

/**
 * Sends a request, follows redirects that it may follow, and gives the body in pieces, as they arrive and are taken.
 * Rejects only when the signal aborts.
 * @param asked Its `deadlineMs` is for the whole body.
 */
export async function openBody(asked: TransportRequest, context: ExchangeContext): Promise<BodyExchange> {
  const signal = context.signal ?? new AbortController().signal;
  const uncompressed = { ...asked, acceptEncoding: 'identity' };
  try {
    let url = new URL(asked.url);
    for (let hops = 0; ; hops += 1) {
      const { statusCode: status, headers, body } = await begin(url, uncompressed, context, signal);
      body.on('error', () => undefined);
      const next = hops < MAX_REDIRECTS && redirectTarget({ status, headers }, url, asked);
      if (!next) {
        const chunks = readChunks(body, asked, context);
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
  let before = 0;
  const least = (MIN_BYTES_PER_SECOND * context.timeoutMs) / 1000;
  const watch = setInterval(() => {
    if (bytes - before < least)
      body.destroy(new BodyError(`came slower than ${MIN_BYTES_PER_SECOND} bytes a second`, true));
    before = bytes;
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
    const { problem, transient } = describeFailure(bodyFault(error), undefined);
    throw new BodyError(problem, transient);
  } finally {
    clearInterval(watch);
    clearTimeout(deadline);
    body.destroy();
  }
  return undefined;
}
