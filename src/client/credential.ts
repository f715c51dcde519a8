import type { Account, ProductUpstream, Upstreams } from '#config/index.ts';

/** A value of the `Authorization` header. */
export interface Credential {
  authorization: string;
  /** Sent to addresses that start with this, and to no other, redirects included. */
  within: string;
}

/** HTTP Basic (RFC 7617) for all addresses of an origin. */
export function basicCredential({ user, password }: Account, address: string): Credential {
  const encoded = Buffer.from(`${user}:${password}`).toString('base64');
  return { authorization: `Basic ${encoded}`, within: `${new URL(address).origin}/` };
}

/** Credential of requests to the product interface: the token goes first, because there is one header for both. */
export function productCredential({ root, token, account }: ProductUpstream): Credential | undefined {
  if (token !== undefined) return { authorization: `Token ${token}`, within: new URL(root).href };
  return account && basicCredential(account, root);
}

/** Finds the credential for a file: that of the upstream whose origin it lies on. */
export function fileCredential({ product, publishing }: Upstreams, address: string): Credential | undefined {
  const accounts = [
    [publishing?.siteUrl, publishing?.account],
    [product?.root, product?.account],
  ] as const;
  for (const [own, account] of accounts) {
    if (own && account && new URL(own).origin === URL.parse(address)?.origin) return basicCredential(account, own);
  }
  return undefined;
}

/** A shorter password would take texts apart when it is masked, and keeps nothing secret. */
const MIN_MASKED_LENGTH = 4;

/** Texts that must not be shown: the token, or what HTTP Basic sends and the password in it. */
export function secretsOf(credential: Credential | undefined): string[] {
  const [scheme, value = ''] = credential?.authorization.split(' ') ?? [];
  if (scheme !== 'Basic') return [value].filter(Boolean);
  const account = Buffer.from(value, 'base64').toString();
  const password = account.slice(account.indexOf(':') + 1);
  return [value, password].filter((secret) => secret.length >= MIN_MASKED_LENGTH);
}
