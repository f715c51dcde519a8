import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { isTimeoutCode, withoutUserInfo, describeNetworkError } from '#contracts/index.ts';
import type { FailureCause, Validators } from './upstream-error.ts';
import type { Credential } from './credential.ts';
import { BodyError, readBody, bodyTooLargeError } from './read-body.ts';

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
  userAgent: string;
  timeoutMs: number;
  maxBytes: number;
  /** Public origin -> origin to connect to. */
  connectTo: Readonly<Record<string, string>>;
  signal: AbortSignal | undefined;
  /** Body bytes received, before decompression. */
  received: { bytes: number };
}

export const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Sends a request once, follows the allowed redirects and reads the body. Rejects only when `signal` aborts. */
export async function exchange(transportRequest: TransportRequest, context: ExchangeContext): Promise<Exchange> {
  const deadlineMs = transportRequest.deadlineMs ?? context.timeoutMs;
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
    let url = new URL(transportRequest.url);
    for (let hops = 0; ; hops += 1) {
      const answer = await send(url, transportRequest, context, end.signal);
      const next =
        hops < MAX_REDIRECTS && answer.outcome === 'answered' && redirectTarget(answer, url, transportRequest);
      if (!next) return answer;
      url = next;
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    return describeFailure(error, isLate ? deadlineMs : undefined);
  } finally {
    clearTimeout(deadline);
    context.signal?.removeEventListener('abort', abort);
  }
}

async function send(
  url: URL,
  transportRequest: TransportRequest,
  context: ExchangeContext,
  signal: AbortSignal,
): Promise<Exchange> {
  const { statusCode: status, headers, body: stream } = await openResponse(url, transportRequest, context, signal);
  // These responses may announce the encoding of a missing body.
  const isBodiless = transportRequest.method === 'HEAD' || status === 204 || status === 304;
  const encoding = isBodiless ? undefined : headers['content-encoding'];
  const maxBytes = transportRequest.maxBytes ?? context.maxBytes;
  try {
    const announced = isBodiless || status !== 200 ? 0 : Number(headers['content-length']);
    if (announced > maxBytes) throw bodyTooLargeError(maxBytes, announced);
    const body = await readBody(stream, encoding, maxBytes);
    return { outcome: 'answered', url: url.href, status, headers, body };
  } catch (error) {
    // A partly read body would leave its rest on the connection.
    stream.on('error', () => undefined).destroy();
    if (!(error instanceof BodyError) || error.tooManyBytes === undefined) throw error;
    return { ...describeFailure(error, undefined), tooLarge: { bytes: error.tooManyBytes, headers } };
  }
}

/** Sends the request and waits for the response headers. */
export async function openResponse(
  url: URL,
  transportRequest: TransportRequest,
  context: ExchangeContext,
  signal: AbortSignal,
) {
  const target = context.connectTo[url.origin];
  const response = await request(target ? new URL(url.pathname + url.search, target) : url, {
    dispatcher: context.dispatcher,
    method: transportRequest.method ?? 'GET',
    headers: headersFor(url, transportRequest, context),
    signal,
  });
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : `${value}`,
    ]),
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

function headersFor(url: URL, transportRequest: TransportRequest, context: ExchangeContext): Record<string, string> {
  const { credential, validators, range } = transportRequest;
  return {
    // When connecting to another address, the server must still see its public name.
    host: url.host,
    accept: transportRequest.accept,
    'accept-encoding': transportRequest.acceptEncoding ?? 'gzip',
    'user-agent': context.userAgent,
    ...(credential && url.href.startsWith(credential.within) && { authorization: credential.authorization }),
    ...(validators?.etag && { 'if-none-match': validators.etag }),
    ...(validators?.lastModified && { 'if-modified-since': validators.lastModified }),
    ...(range && { range: `bytes=${range.from}-`, 'if-range': range.ifRange }),
  };
}

/** Returns the target of an allowed redirect. */
export function redirectTarget(
  answer: Pick<Extract<Exchange, { outcome: 'answered' }>, 'status' | 'headers'>,
  from: URL,
  transportRequest: TransportRequest,
): URL | undefined {
  const { location } = answer.headers;
  if (!REDIRECTS.has(answer.status) || !location || !URL.canParse(location, from)) return undefined;
  const to = new URL(withoutUserInfo(new URL(location, from).href));
  return to.origin === from.origin || transportRequest.mayFollow?.(to) ? to : undefined;
}

/** Describes an error without the library's error object, which may contain the request and its token. */
export function describeFailure(
  error: unknown,
  exceededMs: number | undefined,
): Extract<Exchange, { outcome: 'failed' }> {
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
const PERMANENT = new Set([
  'UND_ERR_INVALID_ARG',
  'ERR_INVALID_URL',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);
