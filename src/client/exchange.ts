import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { isTimeoutCode, withoutUserInfo, wordNetworkCode } from '#contracts/index.ts';
import type { FailureCause, Validators } from './answer.ts';
import type { Credential } from './credential.ts';
import { BodyError, readBody, tooLarge } from './read-body.ts';

export interface TransportRequest {
  method?: 'GET' | 'HEAD';
  url: string;
  accept: string;
  credential?: Credential | undefined;
  validators?: Validators | undefined;
  /** Requests the rest from this byte on (`Range`) while the validator matches (`If-Range`), otherwise the whole. */
  range?: { from: number; ifRange: string };
  /** Encodings that the body may have. @default 'gzip' */
  acceptEncoding?: string;
  /** Largest body, decompressed. */
  maxBytes?: number;
  /** For the whole exchange, redirects included. @default the transport's `timeoutMs` */
  deadlineMs?: number;
  /** Redirects to other origins that may be followed. @default none */
  mayFollow?: (url: URL) => boolean;
}

/** What came of one attempt. */
export type Exchange =
  | {
      outcome: 'answered';
      /** Where the answer came from, after redirects. */
      url: string;
      status: number;
      /** Names in lower case; repeated ones joined by a comma. */
      headers: Readonly<Record<string, string>>;
      body: Buffer;
    }
  | {
      outcome: 'failed';
      /** Without addresses and secrets: `timed out after 20000 ms`, `no server answers there (ECONNREFUSED)`. */
      problem: string;
      cause?: FailureCause;
      /** Whether another attempt may go better. */
      transient: boolean;
      /** Of a body that is too large: so many bytes at least, and the head of its answer. */
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
  /** Counts the bytes of bodies as they come over the wire. */
  received: { bytes: number };
}

export const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** One attempt: sends the request, follows redirects that it may follow, and reads the body. Rejects only when `signal` aborts. */
export async function exchange(asked: TransportRequest, context: ExchangeContext): Promise<Exchange> {
  const deadlineMs = asked.deadlineMs ?? context.timeoutMs;
  // Not AbortSignal.timeout: its timers would go on by the thousand after their requests have ended.
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
    let url = new URL(asked.url);
    for (let hops = 0; ; hops += 1) {
      const answer = await send(url, asked, context, end.signal);
      const next = hops < MAX_REDIRECTS && answer.outcome === 'answered' && redirectTarget(answer, url, asked);
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
  asked: TransportRequest,
  context: ExchangeContext,
  signal: AbortSignal,
): Promise<Exchange> {
  const { statusCode: status, headers, body: stream } = await begin(url, asked, context, signal);
  // These announce the encoding of a body that isn't there.
  const isBodiless = asked.method === 'HEAD' || status === 204 || status === 304;
  const encoding = isBodiless ? undefined : headers['content-encoding'];
  const maxBytes = asked.maxBytes ?? context.maxBytes;
  try {
    const announced = isBodiless || status !== 200 ? 0 : Number(headers['content-length']);
    if (announced > maxBytes) throw tooLarge(maxBytes, announced);
    const body = await readBody(stream, encoding, maxBytes);
    return { outcome: 'answered', url: url.href, status, headers, body };
  } catch (error) {
    // Not read to its end: the connection would carry the rest.
    stream.on('error', () => undefined).destroy();
    if (!(error instanceof BodyError) || error.tooManyBytes === undefined) throw error;
    return { ...describeFailure(error, undefined), tooLarge: { bytes: error.tooManyBytes, headers } };
  }
}

/** Sends the request and waits for the head of its answer. */
export async function begin(url: URL, asked: TransportRequest, context: ExchangeContext, signal: AbortSignal) {
  const target = context.connectTo[url.origin];
  const response = await request(target ? new URL(url.pathname + url.search, target) : url, {
    dispatcher: context.dispatcher,
    method: asked.method ?? 'GET',
    headers: headersFor(url, asked, context),
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

/** Counted before decompression, without setting the stream going. What came with the head is in it already. */
function countBytes<T extends Readable>(body: T, received: { bytes: number }): T {
  received.bytes += body.readableLength;
  const push = body.push.bind(body);
  body.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (Buffer.isBuffer(chunk)) received.bytes += chunk.length;
    return push(chunk, encoding);
  };
  return body;
}

function headersFor(url: URL, asked: TransportRequest, context: ExchangeContext): Record<string, string> {
  const { credential, validators, range } = asked;
  return {
    // Where another address is connected to, the server must still see its public name.
    host: url.host,
    accept: asked.accept,
    'accept-encoding': asked.acceptEncoding ?? 'gzip',
    'user-agent': context.userAgent,
    ...(credential && url.href.startsWith(credential.within) && { authorization: credential.authorization }),
    ...(validators?.etag && { 'if-none-match': validators.etag }),
    ...(validators?.lastModified && { 'if-modified-since': validators.lastModified }),
    ...(range && { range: `bytes=${range.from}-`, 'if-range': range.ifRange }),
  };
}

/** Target of a redirect that the request may follow. */
export function redirectTarget(
  answer: Pick<Extract<Exchange, { outcome: 'answered' }>, 'status' | 'headers'>,
  from: URL,
  asked: TransportRequest,
): URL | undefined {
  const { location } = answer.headers;
  if (!REDIRECTS.has(answer.status) || !location || !URL.canParse(location, from)) return undefined;
  const to = new URL(withoutUserInfo(new URL(location, from).href));
  return to.origin === from.origin || asked.mayFollow?.(to) ? to : undefined;
}

/** Says what happened without the library's error object: that may hold the request and with it the token. */
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
  const failure = { outcome: 'failed', problem: wordNetworkCode(code), transient: !PERMANENT.has(code) } as const;
  return isTimeoutCode(code) ? { ...failure, cause: 'timeout' } : failure;
}

/** Mistakes of ours or of the configuration: another attempt would only repeat them. */
const PERMANENT = new Set([
  'UND_ERR_INVALID_ARG',
  'ERR_INVALID_URL',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);
