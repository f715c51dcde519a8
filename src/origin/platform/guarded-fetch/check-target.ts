import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SortimentError } from '#contracts/index.ts';
import { isPublicAddress } from './is-public-address.ts';

export interface TargetRules {
  /** @default [80, 443] */
  ports?: readonly number[] | undefined;
  /** Lets loopback and private networks through, at any port. For tests. @default false */
  allowPrivate?: boolean | undefined;
  /** How names are resolved. @default the system's resolver */
  resolve?: ((hostname: string) => Promise<readonly string[]>) | undefined;
}

/** An address that was checked, with the IP addresses it may be reached at and no others. */
export interface Target {
  url: URL;
  addresses: readonly string[];
}

/** One word, or a name that the public network has none of: services of a cloud, a company or a machine. */
const LOCAL_NAME = /^[^.:[\]]+\.?$|\.(?:internal|local|localhost|localdomain|lan|home\.arpa|intranet|corp)\.?$/i;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

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
