import type { Account, ProductUpstream, Upstreams } from '#config/index.ts';

/** A value of the `Authorization` header. */
export interface Credential {
  authorization: string;
  /** Prefix of the URLs that may receive it, also after redirects. */
  within: string;
}

/** Creates HTTP Basic credentials (RFC 7617) for all addresses of an origin. */
export function basicCredential({ user, password }: Account, address: string): Credential {
  const encoded = Buffer.from(`${user}:${password}`).toString('base64');
  return { authorization: `Basic ${encoded}`, within: `${new URL(address).origin}/` };
}

/**
 * Returns the credential for the product interface. The token takes precedence over the account, because both use the
 * same header.
 */
export function productCredential({ root, token, account }: ProductUpstream): Credential | undefined {
  if (token !== undefined) return { authorization: `Token ${token}`, within: new URL(root).href };
  return account && basicCredential(account, root);
}

/** Returns the credential for a file: the account of the upstream on the same origin. */
export function fileCredential({ product, publishing }: Upstreams, address: string): Credential | undefined {
  const accounts = [
    [publishing?.siteUrl, publishing?.account],
    [product?.root, product?.account],
  ] as const;
  for (const [upstreamUrl, account] of accounts) {
    if (upstreamUrl && account && new URL(upstreamUrl).origin === URL.parse(address)?.origin)
      return basicCredential(account, upstreamUrl);
  }
  return undefined;
}

/** Shorter passwords aren't masked, because masking would garble ordinary text. */
const MIN_MASKED_LENGTH = 4;

/** Lists the texts to mask in messages: the token, or the encoded account and its password. */
export function listSecrets(credential: Credential | undefined): string[] {
  const [scheme, value = ''] = credential?.authorization.split(' ') ?? [];
  if (scheme !== 'Basic') return [value].filter(Boolean);
  const account = Buffer.from(value, 'base64').toString();
  const password = account.slice(account.indexOf(':') + 1);
  return [value, password].filter((secret) => secret.length >= MIN_MASKED_LENGTH);
}
