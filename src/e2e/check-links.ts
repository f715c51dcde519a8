import type * as Linkinator from 'linkinator';
import { loadAuditTool } from '#files/testing/audit-tools.ts';

/** Follows all links within a site. Returns the addresses found, and dead ones with their status and page. */
export async function checkLinks(
  siteUrl: string,
  paths: readonly string[],
): Promise<{ urls: string[]; dead: string[] }> {
  const { LinkChecker } = loadAuditTool<typeof Linkinator>('linkinator');
  const { links } = await new LinkChecker().check({
    path: paths.map((path) => siteUrl + path),
    recurse: true,
    concurrency: 20,
    linksToSkip: async (link) => !link.startsWith(siteUrl),
  });
  const followed = links.filter(({ url }) => url.startsWith(siteUrl));
  const dead: string[] = [];
  for (const { state, status, url, parent } of followed) {
    if (state !== 'BROKEN') continue;
    // The server may have closed an idle connection at the same moment.
    const repeated = status || (await fetch(url)).status;
    if (repeated !== 200) dead.push(`${repeated} ${url} <- ${parent}`);
  }
  return { urls: followed.map(({ url }) => url), dead };
}
