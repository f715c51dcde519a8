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
import { BodyError, toBodyError, decompress } from './read-body.ts';

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

/** Response whose body is read line by line. */
export type LineExchange =
  | {
      outcome: 'answered';
      status: number;
      headers: Readonly<Record<string, string>>;
      /**
       * Yields complete lines. Throws a BodyError if the body is truncated, stalls or can't be decoded. Empty unless
       * the response is a 200 with newline-delimited JSON.
       */
      lines: AsyncGenerator<string, undefined>;
    }
  | { outcome: 'failed'; problem: string; transient: boolean };

/**
 * Sends a request and returns its body as lines, as they arrive. Rejects only when the signal aborts.
 * @param transportRequest `maxBytes` limits one line; `deadlineMs` limits the wait for a complete line.
 */
export async function openLines(transportRequest: TransportRequest, context: ExchangeContext): Promise<LineExchange> {
  const signal = context.signal ?? new AbortController().signal;
  try {
    const {
      statusCode: status,
      headers,
      body,
    } = await openResponse(new URL(transportRequest.url), transportRequest, context, signal);
    body.on('error', () => undefined);
    if (status !== 200 || !/ndjson|jsonl/i.test(headers['content-type'] ?? '')) {
      body.destroy();
      return { outcome: 'answered', status, headers, lines: noLines() };
    }
    const source = decompress(body, headers['content-encoding']);
    const close = () => {
      source.destroy();
      // Otherwise the connection stays open.
      body.destroy();
    };
    const lines = readLines({ source, close }, transportRequest, context);
    return { outcome: 'answered', status, headers, lines };
  } catch (error) {
    context.signal?.throwIfAborted();
    return describeFailure(error, undefined);
  }
}

const LINE_END = 10;

async function* noLines(): AsyncGenerator<string, undefined> {}

async function* readLines(
  { source, close }: { source: Readable; close: () => void },
  { maxBytes, deadlineMs }: TransportRequest,
  context: ExchangeContext,
): AsyncGenerator<string, undefined> {
  const maxLineBytes = maxBytes ?? context.maxBytes;
  const lineMs = deadlineMs ?? context.timeoutMs;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** Start of a line whose end hasn't arrived. */
  let partialLine: Buffer[] = [];
  let partialBytes = 0;
  // Received bytes don't count as progress: they may trickle endlessly, or decompress to empty lines.
  const deadline = setTimeout(() => {
    source.destroy(new BodyError(`no complete line arrived within ${lineMs} ms`, true));
  }, lineMs);
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      let at = 0;
      // Decodes line by line, because strings of whole chunks are large objects that only a full garbage collection
      // frees.
      for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, at)) {
        const bytes = chunk.subarray(at, end);
        at = end + 1;
        const line = decoder.decode(partialBytes > 0 ? Buffer.concat([...partialLine, bytes]) : bytes);
        [partialLine, partialBytes] = [[], 0];
        if (line.trim() === '') continue;
        yield line;
        deadline.refresh();
      }
      if (at < chunk.length) partialLine.push(chunk.subarray(at));
      partialBytes += chunk.length - at;
      if (partialBytes > maxLineBytes) throw new BodyError(`a line is longer than ${maxLineBytes} bytes`, false);
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    const { problem, transient } = describeFailure(toBodyError(error), undefined);
    throw new BodyError(problem, transient);
  } finally {
    clearTimeout(deadline);
    close();
  }
  // Every line ends with a line feed, so a final line without one was truncated.
  if (Buffer.concat(partialLine).toString().trim() !== '') throw new BodyError('the body was cut off', true);
  return undefined;
}
