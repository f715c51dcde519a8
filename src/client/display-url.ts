import { maskSecret } from './mask-secret.ts';

/** An address as it may be shown: without credentials, fragment and a secret in its query. */
export function displayUrl(address: string, secret?: string): string {
  if (!URL.canParse(address)) return maskSecret(address, secret);
  const url = new URL(address);
  url.username = '';
  url.password = '';
  url.hash = '';
  return maskSecret(url.href, secret);
}
