import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, request, type Dispatcher } from 'undici';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { checkTarget, type Target, type TargetRules } from './check-target.ts';

export interface GuardedFetchOptions extends TargetRules {
  /** Largest body, as it travels and unpacked. */
  maxBytes: number;
  /** For all of it: names, redirects, body. */
  timeoutMs: number;
  /** @default any type */
  accept?: string;
  signal?: AbortSignal;
}

export interface GuardedAnswer {
  /** Where the redirects led. */
  url: string;
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const UNPACK: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Reads an address that a person or an upstream chose, by GET and without credentials. Every hop is resolved and
 * checked here, and the connection goes to the very addresses that were checked: a name that changes its mind
 * between check and connect changes nothing.
 *
 * @returns whatever the server answered, errors too
 * @throws SortimentError `FETCH_REFUSED`, `FETCH_TOO_LARGE`, `FETCH_TIMED_OUT`, `FETCH_FAILED`
 */
export async function guardedFetch(address: string | URL, options: GuardedFetchOptions): Promise<GuardedAnswer> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  let next: string | URL = address;
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const target = await unlessAborted(checkTarget(next, options), signal);
      const answer = await ask(target, options, signal);
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || location === undefined) return answer;
      if (!URL.canParse(location, target.url.href))
        throw failed('FETCH_FAILED', `"${target.url.host}" redirects to no address.`);
      next = new URL(location, target.url);
    }
  } catch (error) {
    if (isSortimentError(error)) throw error;
    if (timeout.aborted)
      throw failed('FETCH_TIMED_OUT', `"${hostOf(next)}" did not answer within ${options.timeoutMs} ms.`, error);
    throw failed('FETCH_FAILED', `"${hostOf(next)}" could not be read.`, error);
  }
  throw failed('FETCH_FAILED', `"${hostOf(address)}" redirects more than ${MAX_REDIRECTS} times.`);
}

async function ask(target: Target, options: GuardedFetchOptions, signal: AbortSignal): Promise<GuardedAnswer> {
  const agent = new Agent({
    connect: { lookup: pinned(target.addresses), timeout: options.timeoutMs },
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
  });
  try {
    const { statusCode, headers, body } = await request(target.url, {
      dispatcher: agent,
      signal,
      headers: {
        accept: options.accept ?? '*/*',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'Sortiment',
      },
    });
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const answer = { url: target.url.href, status: statusCode, headers: plain };
    // A redirect's body is nobody's business, however long it is.
    if (REDIRECTS.has(statusCode)) return { ...answer, body: Buffer.alloc(0) };
    return { ...answer, body: await unpack(await readBody(body, options.maxBytes), plain, options.maxBytes) };
  } finally {
    await agent.destroy();
  }
}

/** Answers every name with the addresses that were checked. Literal addresses are never looked up. */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = found;
    if (options.all) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  };
}

async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function unpack(body: Buffer, headers: GuardedAnswer['headers'], maxBytes: number): Promise<Buffer> {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '' || body.length === 0) return body;
  const decode = UNPACK[encoding];
  if (!decode) throw failed('FETCH_FAILED', `The body is encoded as "${encoding}", which was not asked for.`);
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw failed('FETCH_FAILED', `The body is not encoded as "${encoding}", as it claims.`, error);
  }
}

/** Looking up a name can't be called off; waiting for it can. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function hostOf(address: string | URL): string {
  return URL.canParse(String(address)) ? new URL(address).host : String(address);
}

function tooLarge(maxBytes: number): SortimentError {
  return failed('FETCH_TOO_LARGE', `What was fetched is larger than ${maxBytes} bytes.`);
}

function failed(code: string, message: string, cause?: unknown): SortimentError {
  return new SortimentError(code, message, { hint: 'Open the address in a browser to see what it answers.', cause });
}
