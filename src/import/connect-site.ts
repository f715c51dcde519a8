import {
  basicCredential,
  createTransport,
  detectPublishing,
  displayUrl,
  publishingClient,
  upstreamError,
  type Credential,
  type PublishingClient,
  type PublishingSite,
  type Transport,
} from '#client/index.ts';
import { getMe, user } from '#contracts/core/index.ts';
import type { ImportSource } from '#contracts/import.ts';
import { isSortimentError, type NamespaceMap, SortimentError, trimEndOf } from '#contracts/index.ts';
import { trustedAddresses } from './destination.ts';

export interface SiteAccess {
  /** The site's address. */
  address: string;
  user: string;
  /** An application password. */
  password: string;
  /** Path segment of the REST root. @default the usual ones are tried */
  restRoot?: string | undefined;
  /** What the site calls its namespaces. @default found out, for those of standard servers */
  namespaces?: NamespaceMap | undefined;
  /** Ends all requests under way. */
  signal?: AbortSignal | undefined;
  /** @default 30000 */
  timeoutMs?: number;
  /** @default 3 */
  retries?: number;
}

/** A site, and somebody who may read it. */
export interface ConnectedSite {
  site: PublishingSite;
  source: ImportSource;
  /** Where its files may be fetched from. */
  fileAddresses: string[];
  /** Finds the credential for a file, which those of the site itself have. */
  credentialFor: (address: string) => Credential | undefined;
  client: PublishingClient;
  transport: Transport;
}

/**
 * Finds the interface of a site and signs in. Close `transport` in the end.
 *
 * @throws SortimentError IMPORT_NO_INTERFACE, IMPORT_NOT_SIGNED_IN, UPSTREAM_… when the site is away
 */
export async function connectSite(access: SiteAccess): Promise<ConnectedSite> {
  const given = new URL(displayUrl(access.address));
  const siteUrl = trimEndOf(given.origin + given.pathname, '/');
  const options = { timeoutMs: access.timeoutMs ?? 30_000, retries: access.retries ?? 3, connections: 4 };
  const first = createTransport({ ...options, signal: access.signal });
  const site = await findInterface(siteUrl, access, first).finally(() => first.close());
  // Behind a tunnel or on this machine it may be reached at another address than its links carry.
  const isNear = /^(localhost|127\.|\[::1\])/.test(given.hostname);
  const home = trimEndOf(site.home, '/');
  const connectTo = isNear && URL.canParse(home) ? { [new URL(home).origin]: given.origin } : {};
  const transport = createTransport({ ...options, connectTo, signal: access.signal });
  try {
    const client = publishingClient(site, transport, access);
    await signIn(client, access);
    const signedIn = [siteUrl, ...(isNear ? Object.keys(connectTo) : [])].map((own) => basicCredential(access, own));
    const credentialFor = (address: string) => signedIn.find(({ within }) => address.startsWith(within));
    const source = { site: URL.canParse(home) ? home : siteUrl, addresses: listAddresses([home, siteUrl]) };
    // Whatever a near one is called, it is connected to where it was given.
    const fileAddresses = listAddresses(isNear ? [home, siteUrl] : trustedAddresses(siteUrl, home));
    return { site, source, fileAddresses, credentialFor, client, transport };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

async function findInterface(siteUrl: string, access: SiteAccess, transport: Transport): Promise<PublishingSite> {
  const { restRoot = 'detect', namespaces = {} } = access;
  try {
    return await detectPublishing({ siteUrl, restRoot, namespaces, account: access }, transport);
  } catch (error) {
    if (!isSortimentError(error)) throw error;
    if (error.code === 'UPSTREAM_UNAUTHORISED') throw notSignedIn(error.message, access);
    if (error.code === 'ENVIRONMENT_INVALID') {
      const hint = 'Correct --namespaces, or leave these pairs out: other namespaces are detected.';
      throw new SortimentError('IMPORT_NO_INTERFACE', error.message, { hint, cause: error });
    }
    if (error.code !== 'UPSTREAM_WRONG_ADDRESS') throw error;
    throw new SortimentError('IMPORT_NO_INTERFACE', error.message, {
      hint: 'Give the address of the site itself, and --rest-root if its REST root has another name.',
      cause: error,
    });
  }
}

async function signIn(client: PublishingClient, access: SiteAccess): Promise<void> {
  const me = { ...getMe, response: user.pick({ id: true }) };
  const answer = await client.call(me, { query: { context: 'edit' } });
  if (answer.kind === 'ok') return;
  if (answer.kind !== 'unauthorised') throw upstreamError(answer);
  throw notSignedIn(`[GET] "${answer.url}": ${answer.detail}.`, access);
}

function notSignedIn(what: string, { user: login }: SiteAccess): SortimentError {
  return new SortimentError(
    'IMPORT_NOT_SIGNED_IN',
    `${what} The site does not let "${login}" in with this application password.`,
    {
      hint:
        'Make a new application password in the profile of that user. Some servers keep the Authorization header ' +
        'from the site, or allow application passwords over https only.',
    },
  );
}

/** Content may call a site by either scheme. */
function listAddresses(addresses: readonly string[]): string[] {
  const known = addresses.filter((address) => /^https?:\/\//.test(address));
  return [
    ...new Set(
      known.flatMap((address) => [address, address.replace(/^https?/, (s) => (s === 'http' ? 'https' : 'http'))]),
    ),
  ];
}
