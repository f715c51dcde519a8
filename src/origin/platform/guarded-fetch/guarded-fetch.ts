import { isIP, type LookupFunction, BlockList } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { lookup } from 'node:dns/promises';
import { Agent, request, type Dispatcher } from 'undici';
import { isSortimentError, SortimentError } from '#contracts/index.ts';

/** Special-purpose IPv4 ranges, by the IANA registry of RFC 6890. */
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Answers for the cloud that a machine runs in, from an address of the public range.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** What IPv6 routes globally; mapped IPv4, NAT64, unique local, link local and multicast lie outside of it. */
const GLOBAL_IPV6 = ['2000::', 3] as const;

/** Exceptions within it: Teredo and other protocols, documentation, 6to4. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();

const global = new BlockList();

/** One word, or a name that the public network has none of: services of a cloud, a company or a machine. */
const LOCAL_NAME = /^[^.:[\]]+\.?$|\.(?:internal|local|localhost|localdomain|lan|home\.arpa|intranet|corp)\.?$/i;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export interface GuardedFetchOptions extends TargetRules {
  /** Largest body, as it travels and unpacked. */
  maxBytes: number;
  /** For all of it: names, redirects, body. */
  timeoutMs: number;
  /** @default any type */
  accept?: string;
  /** HEAD reads no body. @default 'GET' */
  method?: 'GET' | 'HEAD';
  /** ETag of the known version; 304 when it is unchanged. */
  ifNoneMatch?: string;
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
 * Reads an address that a person or an upstream chose, without credentials. Every hop is resolved and
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
      method: options.method ?? 'GET',
      headers: {
        accept: options.accept ?? '*/*',
        // HEAD asks for the stored length, without compression.
        'accept-encoding': options.method === 'HEAD' ? 'identity' : 'gzip, deflate, br',
        ...(options.ifNoneMatch === undefined ? {} : { 'if-none-match': options.ifNoneMatch }),
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

interface TargetRules {
  /** @default [80, 443] */
  ports?: readonly number[] | undefined;
  /** Lets loopback and private networks through, at any port. For tests. @default false */
  allowPrivate?: boolean | undefined;
  /** How names are resolved. @default the system's resolver */
  resolve?: ((hostname: string) => Promise<readonly string[]>) | undefined;
}

/** An address that was checked, with the IP addresses it may be reached at and no others. */
interface Target {
  url: URL;
  addresses: readonly string[];
}

/**
 * Checks where an address leads: http or https, a usual port, no credentials, and a name all of whose addresses are
 * public.
 *
 * @throws SortimentError `FETCH_REFUSED`; `FETCH_FAILED` for a name that can't be resolved
 */
export async function checkTarget(address: string | URL, rules: TargetRules = {}): Promise<Target> {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  if (!url) throw refused(String(address), 'it is no address');
  const usualPort = DEFAULT_PORTS[url.protocol];
  if (usualPort === undefined) throw refused(shown(url), 'it is neither http nor https');
  if (url.username !== '' || url.password !== '') throw refused(shown(url), 'it carries credentials');
  const port = url.port === '' ? usualPort : Number(url.port);
  const { ports = [80, 443], allowPrivate = false, resolve = resolveName } = rules;
  if (!allowPrivate && !ports.includes(port)) throw refused(shown(url), `port ${port} is not allowed`);
  if (!allowPrivate && LOCAL_NAME.test(url.hostname))
    throw refused(shown(url), 'its name is known only inside a network');
  const addresses = await findAddresses(url, resolve);
  // One private address among public ones is enough to be led astray.
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw refused(shown(url), 'it is not on the public network');
  return { url, addresses };
}

async function findAddresses(url: URL, resolve: NonNullable<TargetRules['resolve']>): Promise<readonly string[]> {
  // Not every resolver knows `localhost.` for what it is.
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  if (isIP(host) !== 0) return [host];
  const found = await resolve(host).catch(() => []);
  if (found.length > 0) return found;
  throw new SortimentError('FETCH_FAILED', `${url.hostname} is not known to the name server.`, {
    hint: 'Check the name in the address.',
  });
}

async function resolveName(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

function refused(address: string, why: string): SortimentError {
  return new SortimentError('FETCH_REFUSED', `"${address}" is not fetched: ${why}.`, {
    hint: 'Give a public http or https address on its usual port, without credentials.',
  });
}

/** Without what might be secret in it. */
function shown({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');

for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');

global.addSubnet(...GLOBAL_IPV6, 'ipv6');

/** Whether an IP address is one of the public network: nothing local, shared, translated, reserved or multicast. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  // A zone (`%eth0`) only ever names a local link.
  if (family !== 6 || address.includes('%')) return false;
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
