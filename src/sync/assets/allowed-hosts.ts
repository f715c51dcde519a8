import type { Upstreams } from '#config/index.ts';

/**
 * Creates the check for asset addresses: http(s) on an upstream's host and port, or on a configured host. A host
 * without a port allows only the default ports.
 */
export function createHostCheck(upstreams: Upstreams, mediaHosts: readonly string[]): (url: URL) => boolean {
  const upstreamHosts = [upstreams.product?.root, upstreams.publishing?.siteUrl].flatMap((address) =>
    address === undefined ? [] : [new URL(address).host],
  );
  const allowed = new Set([...upstreamHosts, ...mediaHosts.map((host) => host.toLowerCase())]);
  return (url) => /^https?:$/.test(url.protocol) && allowed.has(url.host);
}
