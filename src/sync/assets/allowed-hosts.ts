import type { Upstreams } from '#config/index.ts';

/**
 * Whether an asset may be fetched from an address: http(s), on an upstream's own host (with its port) or on one that
 * the options name. A name without a port stands for the usual ports.
 */
export function allowedHosts(upstreams: Upstreams, mediaHosts: readonly string[]): (url: URL) => boolean {
  const own = [upstreams.product?.root, upstreams.publishing?.siteUrl].flatMap((address) =>
    address === undefined ? [] : [new URL(address).host],
  );
  const allowed = new Set([...own, ...mediaHosts.map((host) => host.toLowerCase())]);
  return (url) => /^https?:$/.test(url.protocol) && allowed.has(url.host);
}
