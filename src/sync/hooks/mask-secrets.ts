import { maskSecret } from '#client/index.ts';

/** Takes secrets out of a text that may echo them. Shorter ones than four characters would take the text apart. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const written = secrets.flatMap((secret) => [secret, new URLSearchParams({ '': secret }).toString().slice(1)]);
  return written
    .filter((secret) => secret.length >= 4)
    .toSorted((a, b) => b.length - a.length)
    .reduce((masked, secret) => maskSecret(masked, secret), text);
}

/** The parts of an address that may be what keeps it secret. */
export function secretsOfUrl(address: string): string[] {
  const { href, pathname, search, searchParams, username, password } = new URL(address);
  const segments = pathname.split('/').filter((segment) => segment.length >= 6);
  return [address, href, pathname + search, ...searchParams.values(), ...segments, username, password].filter(
    (secret) => secret.length >= 4,
  );
}
