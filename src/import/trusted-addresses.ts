/**
 * The addresses of a site that its files may be fetched from: the one that was given, and the one that it gives itself
 * if that is the same host. What a site says of itself must not send us elsewhere, into our own network for one.
 */
export function trustedAddresses(given: string, home: string): string[] {
  return URL.canParse(home) && bareHost(home) === bareHost(given) ? [home, given] : [given];
}

function bareHost(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '');
}
