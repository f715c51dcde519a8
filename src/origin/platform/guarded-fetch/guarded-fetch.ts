import { isIP, type LookupFunction, BlockList } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { lookup } from 'node:dns/promises';
import { Agent, request } from 'undici';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { codeOf } from '#contracts/sortiment-error.ts';

/** Special-purpose IPv4 ranges of the IANA registry (RFC 6890), and the metadata service of a cloud (168.63.129.16). */
const SPECIAL_IPV4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;

/** Globally routed IPv6. Mapped IPv4, NAT64, unique local, link local and multicast are outside of it. */
const GLOBAL_IPV6 = '2000::/3';

/** Exceptions in the global range: Teredo and other protocols, documentation, 6to4. */
const SPECIAL_IPV6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20';

const specialRanges = listRanges(`${SPECIAL_IPV4} ${SPECIAL_IPV6}`);
const globalRange = listRanges(GLOBAL_IPV6);

function listRanges(ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.trim().split(/\s+/)) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Names without a dot, and top-level names of private networks. */
const LOCAL_NAME = /^[^.:[\]]+\.?$|\.(?:internal|local|localhost|localdomain|lan|home\.arpa|intranet|corp)\.?$/i;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export interface GuardedFetchOptions extends TargetRules {
  /** Maximum body size, both compressed and decompressed. */
  maxBytes: number;
  /** Total time for name resolution, redirects and body. */
  timeoutMs: number;
  /** @default any type */
  accept?: string;
  /** HEAD reads no body. @default 'GET' */
  method?: 'GET' | 'HEAD';
  /** ETag of the cached version; responds 304 if unchanged. */
  ifNoneMatch?: string;
  signal?: AbortSignal;
}

export interface GuardedResponse {
  /** Final address after redirects. */
  url: string;
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const DECODERS: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Fetches an address that was chosen by a user or an upstream, without credentials.
 *
 * Every hop is resolved and checked. The connection uses the checked IP addresses, so DNS rebinding has no effect.
 *
 * @returns the response of any status
 * @throws SortimentError `FETCH_REFUSED`, `FETCH_TOO_LARGE`, `FETCH_TIMED_OUT`, `FETCH_FAILED`
 */
export async function guardedFetch(address: string | URL, options: GuardedFetchOptions): Promise<GuardedResponse> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  let nextAddress: string | URL = address;
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const target = await unlessAborted(checkTarget(nextAddress, options), signal);
      const response = await fetchOnce(target, options, signal);
      const { location } = response.headers;
      if (!REDIRECTS.has(response.status) || location === undefined) return response;
      const redirectUrl = URL.parse(location, target.url);
      if (!redirectUrl) throw createFetchError('FETCH_FAILED', `"${target.url.host}" redirects to an invalid address.`);
      nextAddress = redirectUrl;
    }
  } catch (error) {
    if (isSortimentError(error)) throw error;
    if (codeOf(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') throw createTooLargeError(options.maxBytes);
    if (timeout.aborted)
      throw createFetchError(
        'FETCH_TIMED_OUT',
        `"${hostOf(nextAddress)}" did not respond within ${options.timeoutMs} ms.`,
        error,
      );
    throw createFetchError('FETCH_FAILED', `"${hostOf(nextAddress)}" could not be read.`, error);
  }
  throw createFetchError('FETCH_FAILED', `"${hostOf(address)}" redirects more than ${MAX_REDIRECTS} times.`);
}

async function fetchOnce(target: Target, options: GuardedFetchOptions, signal: AbortSignal): Promise<GuardedResponse> {
  const agent = new Agent({
    connect: { lookup: pinnedLookup(target.addresses), timeout: options.timeoutMs },
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    maxResponseSize: options.maxBytes,
  });
  try {
    const { statusCode, headers, body } = await request(target.url, {
      dispatcher: agent,
      signal,
      method: options.method ?? 'GET',
      headers: {
        accept: options.accept ?? '*/*',
        // HEAD requests the stored length, without compression.
        'accept-encoding': options.method === 'HEAD' ? 'identity' : 'gzip, deflate, br',
        ...(options.ifNoneMatch === undefined ? {} : { 'if-none-match': options.ifNoneMatch }),
        'user-agent': 'Sortiment',
      },
    });
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const response = { url: target.url.href, status: statusCode, headers: plain };
    // The body of a redirect is ignored.
    if (REDIRECTS.has(statusCode)) return { ...response, body: Buffer.alloc(0) };
    return { ...response, body: await decompress(Buffer.from(await body.arrayBuffer()), plain, options.maxBytes) };
  } finally {
    await agent.destroy();
  }
}

/** Resolves every name to the checked addresses. IP addresses are never looked up. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all) callback(null, entries);
    else callback(null, first?.address ?? '', first?.family);
  };
}

async function decompress(body: Buffer, headers: GuardedResponse['headers'], maxBytes: number): Promise<Buffer> {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '' || body.length === 0) return body;
  const decode = DECODERS[encoding];
  if (!decode) throw createFetchError('FETCH_FAILED', `The response has the unsupported encoding "${encoding}".`);
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw createTooLargeError(maxBytes);
    throw createFetchError('FETCH_FAILED', `The response is not valid "${encoding}".`, error);
  }
}

/** A DNS lookup can't be cancelled, but waiting for it can. */
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
  return URL.parse(String(address))?.host ?? String(address);
}

function createTooLargeError(maxBytes: number): SortimentError {
  return createFetchError('FETCH_TOO_LARGE', `The response is larger than ${maxBytes} bytes.`);
}

function createFetchError(code: string, message: string, cause?: unknown): SortimentError {
  return new SortimentError(code, message, { hint: 'Open the address in a browser to see its response.', cause });
}

interface TargetRules {
  /** @default [80, 443] */
  ports?: readonly number[] | undefined;
  /** True to allow loopback and private networks at any port, for tests. @default false */
  allowPrivate?: boolean | undefined;
  /** Resolves names. @default system resolver */
  resolve?: ((hostname: string) => Promise<readonly string[]>) | undefined;
}

/** A checked address with the IP addresses that may be used for it. */
type Target = Awaited<ReturnType<typeof checkTarget>>;

/**
 * Checks an address: http or https, a usual port, no credentials, and a name whose addresses are all public.
 *
 * @throws SortimentError `FETCH_REFUSED`; `FETCH_FAILED` for a name that can't be resolved
 */
export async function checkTarget(address: string | URL, rules: TargetRules = {}) {
  const url = URL.parse(String(address));
  if (!url) throw createRefusedError(String(address), 'it is not a valid address');
  // Other parts may contain secrets.
  const refuse = (reason: string) => createRefusedError(`${url.protocol}//${url.host}${url.pathname}`, reason);
  const usualPort = DEFAULT_PORTS[url.protocol];
  if (usualPort === undefined) throw refuse('it is neither http nor https');
  if (url.username !== '' || url.password !== '') throw refuse('it carries credentials');
  const port = url.port === '' ? usualPort : Number(url.port);
  const { ports = [80, 443], allowPrivate = false, resolve = resolveName } = rules;
  if (!allowPrivate && !ports.includes(port)) throw refuse(`port ${port} is not allowed`);
  if (!allowPrivate && LOCAL_NAME.test(url.hostname)) throw refuse('its name belongs to a private network');
  const addresses = await findAddresses(url, resolve);
  // A single private address is enough to reach the private network.
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw refuse('it is not on the public network');
  return { url, addresses };
}

async function findAddresses(url: URL, resolve: NonNullable<TargetRules['resolve']>): Promise<readonly string[]> {
  // Some resolvers don't recognise `localhost.`.
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  if (isIP(host) !== 0) return [host];
  const found = await resolve(host).catch(() => []);
  if (found.length > 0) return found;
  throw new SortimentError('FETCH_FAILED', `${url.hostname} could not be resolved.`, {
    hint: 'Check the name in the address.',
  });
}

async function resolveName(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

function createRefusedError(address: string, reason: string): SortimentError {
  return new SortimentError('FETCH_REFUSED', `"${address}" is not fetched: ${reason}.`, {
    hint: 'Use a public http or https address with the default port and no credentials.',
  });
}

/** Returns true if an IP address is on the public network: not local, shared, translated, reserved or multicast. */
function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialRanges.check(address, 'ipv4');
  // A zone (`%eth0`) exists for link-local addresses only.
  if (family !== 6 || address.includes('%')) return false;
  return globalRange.check(address, 'ipv6') && !specialRanges.check(address, 'ipv6');
}
