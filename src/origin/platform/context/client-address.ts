import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { SortimentError } from '#contracts/index.ts';

/** Whose word on where a request comes from is believed: the last so many proxies, or those at some addresses. */
export type TrustedProxies = number | BlockList;

/** Nobody's: what a client says of itself would let it be anybody. */
export const NO_PROXIES: TrustedProxies = 0;

const MAX_HOPS = 10;

/**
 * Reads the setting: a number of proxies, or addresses and ranges between commas, such as `10.0.0.0/8, ::1`.
 *
 * @throws {SortimentError} TRUSTED_PROXIES_INVALID
 */
export function readTrustedProxies(text: string | undefined): TrustedProxies {
  const words = (text ?? '').split(',').map((word) => word.trim());
  if (words.every((word) => word === '')) return NO_PROXIES;
  const [only = ''] = words;
  if (words.length === 1 && /^\d+$/.test(only)) return Number(only) <= MAX_HOPS ? Number(only) : refuse(only);
  const list = new BlockList();
  for (const word of words.filter((part) => part !== '')) {
    const [address = '', bits, more] = word.split('/');
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? longest : Number(bits);
    const isRange = bits === undefined || /^\d{1,3}$/.test(bits);
    if (family === 0 || more !== undefined || !isRange || prefix > longest) refuse(word);
    list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/**
 * The address that a request comes from: that of the socket, unless a trusted proxy says for whom it asks. The headers
 * are read from the right, as each proxy adds to their end and clients can write anything before it. Headers that
 * contradict each other say nothing.
 *
 * @param headers `x-forwarded-for` and `forwarded`, as they came
 */
export function clientAddress(
  socketAddress: string,
  headers: { forwardedFor: string | undefined; forwarded: string | undefined },
  trusted: TrustedProxies,
): string {
  const own = plainAddress(socketAddress) ?? socketAddress;
  const forwarded = [readForwardedFor(headers.forwardedFor), readForwarded(headers.forwarded)];
  const [first, second] = forwarded.filter((hops) => hops.length > 0).map((hops) => follow(own, hops, trusted));
  if (first === undefined) return own;
  return second === undefined || second === first ? first : own;
}

/** The same for a request that came over a socket of node:http; any other comes from nowhere. */
export function requestAddress(
  incoming: Pick<IncomingMessage, 'socket'> | undefined,
  headers: Headers,
  trusted: TrustedProxies,
): string {
  const forwarded = {
    forwardedFor: headers.get('x-forwarded-for') ?? undefined,
    forwarded: headers.get('forwarded') ?? undefined,
  };
  return clientAddress(incoming?.socket.remoteAddress ?? 'unknown', forwarded, trusted);
}

/** What counts as one source: an address, or the network of 64 bits that one connection gets in IPv6. */
export function sourceOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]?.toLowerCase().split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const middle =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...middle, ...right].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':')}::/64`;
}

function follow(own: string, hops: readonly (string | undefined)[], trusted: TrustedProxies): string {
  let address = own;
  let steps = 0;
  for (const hop of hops.toReversed()) {
    if (hop === undefined || !isTrusted(address, steps, trusted)) return address;
    address = hop;
    steps += 1;
  }
  return address;
}

function isTrusted(address: string, steps: number, trusted: TrustedProxies): boolean {
  if (typeof trusted === 'number') return steps < trusted;
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function readForwardedFor(header: string | undefined): (string | undefined)[] {
  return header === undefined ? [] : header.split(',').map((part) => plainAddress(part.trim()));
}

/** `Forwarded: for=192.0.2.1;proto=https, for="[2001:db8::1]:443"` (RFC 7239) */
function readForwarded(header: string | undefined): (string | undefined)[] {
  if (header === undefined) return [];
  return header.split(',').map((hop) => {
    const pair = hop.split(';').find((part) => /^\s*for\s*=/i.test(part));
    const value = pair?.slice(pair.indexOf('=') + 1).trim();
    return value === undefined ? undefined : plainAddress(value.replace(/^"(.*)"$/, '$1'));
  });
}

/** Without port and brackets; IPv4 that is written as IPv6 in its own form. Undefined for what is no address. */
function plainAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, withPort] = /^([\d.]+):\d+$/.exec(text) ?? [];
  const address = bracketed ?? withPort ?? text;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  const plain = mapped ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}

function refuse(word: string): never {
  throw new SortimentError('TRUSTED_PROXIES_INVALID', `"${word}" names no trusted proxy.`, {
    hint: `Set TRUSTED_PROXIES to the number of proxies in front (at most ${MAX_HOPS}), or to their addresses and ranges, such as 10.0.0.0/8, with commas between them.`,
  });
}
