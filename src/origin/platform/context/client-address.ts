import { BlockList, isIP, type Socket } from 'node:net';
import { SortimentError } from '#contracts/index.ts';

/** Proxies whose forwarding headers are trusted: the last n, or those at some addresses. */
export type TrustedProxies = number | BlockList;

const MAX_HOPS = 10;

/**
 * Parses the setting: a number of proxies, or comma-separated addresses and ranges such as `10.0.0.0/8, ::1`. By
 * default no proxy is trusted, as a client could otherwise claim any address.
 *
 * @throws {SortimentError} TRUSTED_PROXIES_INVALID
 */
export function parseTrustedProxies(text: string | undefined): TrustedProxies {
  const entries = (text ?? '').split(',').flatMap((entry) => entry.trim() || []);
  const [only = '0', ...others] = entries;
  if (others.length === 0 && /^\d+$/.test(only)) return Number(only) <= MAX_HOPS ? Number(only) : rejectEntry(only);
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits, rest] = entry.split('/');
    const family = isIP(address);
    const maxPrefix = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? maxPrefix : Number(bits);
    const isRange = bits === undefined || /^\d{1,3}$/.test(bits);
    if (family === 0 || rest !== undefined || !isRange || prefix > maxPrefix) rejectEntry(entry);
    list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/**
 * Returns the address of the client: that of the socket, unless a trusted proxy forwards the request. Requests that
 * don't arrive over node:http have the address `unknown`.
 *
 * The headers are read from the right, as each proxy appends to them and clients can send anything before.
 * Contradicting headers are ignored.
 */
export function getClientAddress(
  incoming: { socket: Pick<Socket, 'remoteAddress'> } | undefined,
  headers: Pick<Headers, 'get'>,
  trustedProxies: TrustedProxies = 0,
): string {
  const socketAddress = incoming?.socket.remoteAddress ?? 'unknown';
  const socketIp = plainAddress(socketAddress) ?? socketAddress;
  const forwarded = [readForwardedFor(headers.get('x-forwarded-for')), readForwarded(headers.get('forwarded'))];
  const [address, otherAddress] = forwarded
    .filter((hops) => hops.length > 0)
    .map((hops) => followHops(socketIp, hops, trustedProxies));
  if (address === undefined) return socketIp;
  return otherAddress === undefined || otherAddress === address ? address : socketIp;
}

/** Returns the key that counts as one client: an IPv4 address, or the /64 network of an IPv6 address. */
export function getClientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]?.toLowerCase().split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const middle =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...middle, ...right].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':')}::/64`;
}

function followHops(own: string, hops: readonly (string | undefined)[], trustedProxies: TrustedProxies): string {
  let address = own;
  let steps = 0;
  for (const hop of hops.toReversed()) {
    if (hop === undefined || !isTrusted(address, steps, trustedProxies)) return address;
    address = hop;
    steps += 1;
  }
  return address;
}

function isTrusted(address: string, steps: number, trustedProxies: TrustedProxies): boolean {
  if (typeof trustedProxies === 'number') return steps < trustedProxies;
  const family = isIP(address);
  return family !== 0 && trustedProxies.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function readForwardedFor(header: string | null): (string | undefined)[] {
  return header?.split(',').map((part) => plainAddress(part.trim())) ?? [];
}

/** `Forwarded: for=192.0.2.1;proto=https, for="[2001:db8::1]:443"` (RFC 7239) */
function readForwarded(header: string | null): (string | undefined)[] {
  return (header?.split(',') ?? []).map((hop) => {
    const pair = hop.split(';').find((part) => /^\s*for\s*=/i.test(part));
    const value = pair?.slice(pair.indexOf('=') + 1).trim();
    return value === undefined ? undefined : plainAddress(value.replace(/^"(.*)"$/, '$1'));
  });
}

/** Removes port and brackets, and unmaps IPv4-mapped IPv6. Returns undefined if the text is no address. */
function plainAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, withPort] = /^([\d.]+):\d+$/.exec(text) ?? [];
  const address = bracketed ?? withPort ?? text;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  const plain = mapped ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}

function rejectEntry(entry: string): never {
  throw new SortimentError('TRUSTED_PROXIES_INVALID', `"${entry}" is not a valid trusted proxy.`, {
    hint: `Set TRUSTED_PROXIES to the number of proxies in front (at most ${MAX_HOPS}), or to comma-separated addresses and ranges such as 10.0.0.0/8.`,
  });
}
