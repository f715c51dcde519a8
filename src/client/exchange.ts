import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { request, type Dispatcher } from 'undici';
import { describeNetworkError, isTimeoutCode, withoutUserInfo } from '#contracts/index.ts';
import packageManifest from '../../package.json' with { type: 'json' };
import type { Credential } from './credential.ts';

/** Validators of a representation, for conditional requests. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** Cause of a failure, where the hint depends on it. */
export type FailureCause = 'timeout' | 'too-large';

export interface TransportRequest {
  method?: 'GET' | 'HEAD';
  url: string;
  accept: string;
  credential?: Credential | undefined;
  validators?: Validators | undefined;
  /**
   * Requests the bytes from this offset on (`Range`) if the validator still matches (`If-Range`), otherwise the whole
   * file.
   */
  range?: { from: number; ifRange: string };
  /** Accepted encodings of the body. @default 'gzip' */
  acceptEncoding?: string;
  /** Maximum size of the decompressed body in bytes. */
  maxBytes?: number;
  /** Limit of the whole exchange, redirects included. @default the transport's `timeoutMs` */
  deadlineMs?: number;
  /** True if a redirect to another origin may be followed. @default none */
  mayFollow?: (url: URL) => boolean;
}

/** Result of one attempt. */
export type Exchange =
  | {
      outcome: 'answered';
      /** Final URL, after redirects. */
      url: string;
      status: number;
      /** Lower-case names; repeated headers are joined by a comma. */
      headers: Readonly<Record<string, string>>;
      body: Buffer;
    }
  | {
      outcome: 'failed';
      /**
       * Message without addresses and secrets: `timed out after 20000 ms`, `no server answers there (ECONNREFUSED)`.
       */
      problem: string;
      cause?: FailureCause;
      /** True if a retry may succeed. */
      transient: boolean;
      /** For a body that is too large: its minimum size, and the response headers. */
      tooLarge?: { bytes: number; headers: Readonly<Record<string, string>> };
    };

export interface ExchangeContext {
  dispatcher: Dispatcher;
  timeoutMs: number;
  maxBytes: number;
  /** Public origin -> origin to connect to. */
  connectTo: Readonly<Record<string, string>>;
  signal: AbortSignal | undefined;
  /** Body bytes received, before decompression. */
  received: { bytes: number };
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Sends a request once, follows the allowed redirects and reads the body. Rejects only when `signal` aborts. */
export async function exchange(transportRequest: TransportRequest, context: ExchangeContext): Promise<Exchange> {
  const { method, deadlineMs = context.timeoutMs, maxBytes = context.maxBytes } = transportRequest;
  // AbortSignal.timeout would leave thousands of timers running after their requests have ended.
  const end = new AbortController();
  const abort = () => end.abort();
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    end.abort();
  }, deadlineMs);
  context.signal?.addEventListener('abort', abort, { once: true });
  try {
    context.signal?.throwIfAborted();
    const { url, statusCode: status, headers, body: stream } = await open(transportRequest, context, end.signal);
    // These responses may announce the encoding of a missing body.
    const isBodiless = method === 'HEAD' || status === 204 || status === 304;
    try {
      const announced = isBodiless || status !== 200 ? 0 : Number(headers['content-length']);
      if (announced > maxBytes) throw bodyTooLargeError(maxBytes, announced);
      const body = await readBody(stream, isBodiless ? undefined : headers['content-encoding'], maxBytes);
      return { outcome: 'answered', url, status, headers, body };
    } catch (error) {
      // A partly read body would leave its rest on the connection.
      stream.on('error', () => undefined).destroy();
      if (!(error instanceof BodyError) || error.tooManyBytes === undefined) throw error;
      return { ...describeFailure(error), tooLarge: { bytes: error.tooManyBytes, headers } };
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    return describeFailure(error, isLate ? deadlineMs : undefined);
  } finally {
    clearTimeout(deadline);
    context.signal?.removeEventListener('abort', abort);
  }
}

/** Sends a request and follows the allowed redirects. */
async function open(transportRequest: TransportRequest, context: ExchangeContext, signal: AbortSignal) {
  let url = new URL(transportRequest.url);
  for (let hops = 0; ; hops += 1) {
    const response = await openResponse(url, transportRequest, context, signal);
    const next = hops < MAX_REDIRECTS && redirectTarget(response, url, transportRequest);
    if (!next) return { ...response, url: url.href };
    await response.body.dump();
    url = next;
  }
}

/** Response whose body is read as a stream. */
export type BodyExchange = Awaited<ReturnType<typeof openBody>>;

/** Minimum rate of a download; a slower server would block the run. */
const MIN_BYTES_PER_SECOND = 16 * 1024;

/**
 * Sends a request, follows the allowed redirects, and returns the body in chunks as they arrive. Rejects only when the
 * signal aborts.
 * @param transportRequest `deadlineMs` limits the whole body.
 */
export async function openBody(transportRequest: TransportRequest, context: ExchangeContext) {
  return openStream({ ...transportRequest, acceptEncoding: 'identity' }, context, (body) => ({
    /** Throws a BodyError if the body is truncated, stalls or is too slow. Returning early closes the connection. */
    chunks: readChunks(body, transportRequest, context),
    /** Closes the connection without reading the body. */
    discard: () => void body.destroy(),
  }));
}

async function openStream<T>(
  transportRequest: TransportRequest,
  context: ExchangeContext,
  read: (body: Readable, response: { status: number; headers: Readonly<Record<string, string>> }) => T,
) {
  try {
    const response = await open(transportRequest, context, context.signal ?? new AbortController().signal);
    const { statusCode: status, headers, body } = response;
    body.on('error', () => undefined);
    return { outcome: 'answered' as const, status, headers, ...read(body, { status, headers }) };
  } catch (error) {
    context.signal?.throwIfAborted();
    return describeFailure(error);
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
    throw streamError(error, context);
  } finally {
    clearInterval(rateCheck);
    clearTimeout(deadline);
    body.destroy();
  }
  return undefined;
}

/**
 * Sends a request and returns its body as lines, as they arrive. Rejects only when the signal aborts.
 * @param transportRequest `maxBytes` limits one line; `deadlineMs` limits the wait for a complete line.
 * @returns The lines are empty unless the response is a 200 with newline-delimited JSON. They throw a BodyError if the
 *   body is truncated, stalls or can't be decoded.
 */
export async function openLines(transportRequest: TransportRequest, context: ExchangeContext) {
  return openStream(transportRequest, context, (body, { status, headers }) => {
    if (status !== 200 || !/ndjson|jsonl/i.test(headers['content-type'] ?? '')) {
      body.destroy();
      return { lines: noLines() };
    }
    const source = decompress(body, headers['content-encoding']);
    const close = () => {
      source.destroy();
      // Otherwise the connection stays open.
      body.destroy();
    };
    return { lines: readLines({ source, close }, transportRequest, context) };
  });
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
    throw streamError(error, context);
  } finally {
    clearTimeout(deadline);
    close();
  }
  // Every line ends with a line feed, so a final line without one was truncated.
  if (Buffer.concat(partialLine).toString().trim() !== '') throw new BodyError('the body was cut off', true);
  return undefined;
}

async function openResponse(
  url: URL,
  transportRequest: TransportRequest,
  context: ExchangeContext,
  signal: AbortSignal,
) {
  const target = context.connectTo[url.origin];
  const response = await request(target ? new URL(url.pathname + url.search, target) : url, {
    dispatcher: context.dispatcher,
    method: transportRequest.method ?? 'GET',
    headers: headersFor(url, transportRequest),
    signal,
  });
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  return { ...response, headers, body: countBytes(response.body, context.received) };
}

/**
 * Counts bytes before decompression, without starting the stream. Bytes that came with the headers are already
 * buffered.
 */
function countBytes<T extends Readable>(body: T, received: { bytes: number }): T {
  received.bytes += body.readableLength;
  const push = body.push.bind(body);
  body.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (Buffer.isBuffer(chunk)) received.bytes += chunk.length;
    return push(chunk, encoding);
  };
  return body;
}

export const USER_AGENT = `Sortiment/${packageManifest.version}`;

function headersFor(url: URL, transportRequest: TransportRequest): Record<string, string> {
  const { credential, validators, range } = transportRequest;
  return {
    // When connecting to another address, the server must still see its public name.
    host: url.host,
    accept: transportRequest.accept,
    'accept-encoding': transportRequest.acceptEncoding ?? 'gzip',
    'user-agent': USER_AGENT,
    ...(credential && url.href.startsWith(credential.within) && { authorization: credential.authorization }),
    ...(validators?.etag && { 'if-none-match': validators.etag }),
    ...(validators?.lastModified && { 'if-modified-since': validators.lastModified }),
    ...(range && { range: `bytes=${range.from}-`, 'if-range': range.ifRange }),
  };
}

function redirectTarget(
  { statusCode, headers: { location } }: { statusCode: number; headers: Readonly<Record<string, string>> },
  from: URL,
  transportRequest: TransportRequest,
): URL | undefined {
  if (!REDIRECTS.has(statusCode) || !location || !URL.canParse(location, from)) return undefined;
  const to = new URL(withoutUserInfo(new URL(location, from).href));
  return to.origin === from.origin || transportRequest.mayFollow?.(to) ? to : undefined;
}

/** Describes an error without the library's error object, which may contain the request and its token. */
function describeFailure(error: unknown, exceededMs?: number): Extract<Exchange, { outcome: 'failed' }> {
  if (exceededMs !== undefined) {
    return { outcome: 'failed', problem: `timed out after ${exceededMs} ms`, cause: 'timeout', transient: true };
  }
  if (error instanceof BodyError) {
    const { message: problem, transient } = error;
    return { outcome: 'failed', problem, transient, ...(error.tooManyBytes !== undefined && { cause: 'too-large' }) };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'network error';
  const failure = { outcome: 'failed', problem: describeNetworkError(code), transient: !PERMANENT.has(code) } as const;
  return isTimeoutCode(code) ? { ...failure, cause: 'timeout' } : failure;
}

/** Errors of the program or the configuration, which a retry can't fix. */
const PERMANENT = new Set(
  'UND_ERR_INVALID_ARG ERR_INVALID_URL CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT'.split(' '),
);

/** A body that can't be used, although the exchange succeeded. */
export class BodyError extends Error {
  override readonly name: string = 'BodyError';
  readonly transient: boolean;
  /** Minimum size in bytes, if the body is too large. */
  readonly tooManyBytes: number | undefined;

  constructor(message: string, transient: boolean, tooManyBytes?: number) {
    super(message);
    this.transient = transient;
    this.tooManyBytes = tooManyBytes;
  }
}

/**
 * Reads a body into memory and decompresses it. The size limit applies to the decompressed bytes, because a small
 * compressed body may expand to gigabytes.
 * @throws BodyError if it is too large, truncated, or in an unsupported encoding.
 */
async function readBody(body: Readable, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const source = decompress(body, encoding);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw bodyTooLargeError(maxBytes, size);
      chunks.push(chunk);
    }
  } catch (error) {
    body.destroy();
    throw toBodyError(error);
  }
  return Buffer.concat(chunks);
}

/** @param bytes Minimum size of the body. */
function bodyTooLargeError(maxBytes: number, bytes: number): BodyError {
  return new BodyError(`the body is larger than ${maxBytes} bytes`, false, bytes);
}

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
]);

/** @throws BodyError for an unsupported encoding. */
function decompress(body: Readable, encoding = ''): Readable {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return body;
  const decoder = DECODERS.get(name)?.();
  if (!decoder) {
    body.destroy();
    throw new BodyError(`the body has the unknown encoding ${encoding}`, false);
  }
  body.on('error', (error) => decoder.destroy(error));
  return body.pipe(decoder);
}

const CUT_OFF = /^(?:UND_ERR_SOCKET|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|Z_BUF_ERROR|Z_DATA_ERROR|HPE_.*)$/;

/** @throws The reason of an abort. */
function streamError(error: unknown, { signal }: ExchangeContext): BodyError {
  signal?.throwIfAborted();
  const { problem, transient } = describeFailure(toBodyError(error));
  return new BodyError(problem, transient);
}

/** Converts errors of a truncated body to a BodyError; returns others unchanged. */
function toBodyError(error: unknown): unknown {
  const isCutOff = error instanceof Error && 'code' in error && CUT_OFF.test(String(error.code));
  return isCutOff ? new BodyError('the body was cut off', true) : error;
}
