import { createHash } from 'node:crypto';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { findByUrl, type RowWithUrl } from './find-by-url.ts';
import { getEmbedUrl, renderTitle } from './present-embed.ts';

/** Maximum number of addresses per response. Further ones are not embedded. */
const MAX_EMBEDS = 50;
const WIDTH = 500;
const HEIGHT = 282;

/**
 * Creates embeds for addresses of this site on their own line in the content: a link, and a frame that a script of
 * the host page displays when loaded. Only public rows are embedded.
 *
 * @returns HTML by address
 */
export async function loadEmbeds(
  { context, addresses }: Pick<AnyCall, 'context' | 'addresses'>,
  site: Site,
  rows: readonly Pick<ContentRow, 'content'>[],
): Promise<ReadonlyMap<string, string>> {
  const candidates: string[] = [];
  for (const row of rows) {
    const content = replaceSiteUrl(row.content, site.url, addresses.site);
    candidates.push(...(await runTextJob('addresses', content)));
  }
  const siteUrls = [...new Set(candidates)].filter((address) => address.startsWith(`${addresses.site}/`));
  const found = await Promise.all(
    siteUrls.slice(0, MAX_EMBEDS).map(async (address) => {
      const target = await findByUrl(context, addresses.site, address);
      return target ? [[address, frame(target, site.name)] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/** The provider and the host each add a secret to the address. The script matches frames by the last one. */
function frame({ row, link }: RowWithUrl, siteName: string): string {
  const title = renderTitle(row);
  const secret = digest(link);
  const plainTitle = row.password === '' ? row.title : `Protected: ${row.title}`;
  const label = escapeHtml(`“${plainText(plainTitle)}” — ${siteName}`);
  const address = `${getEmbedUrl(link)}#?secret=${digest(title)}#?secret=${secret}`;
  return (
    `<blockquote class="wp-embedded-content" data-secret="${secret}">` +
    `<p><a href="${escapeHtml(link)}">${title}</a></p></blockquote>\n` +
    `<p><iframe loading="lazy" class="wp-embedded-content" sandbox="allow-scripts" security="restricted"` +
    ` style="position: absolute; visibility: hidden;" title="${label}" src="${escapeHtml(address)}"` +
    ` data-secret="${secret}" width="${WIDTH}" height="${HEIGHT}" frameborder="0" marginwidth="0" marginheight="0"` +
    ` scrolling="no"></iframe></p>`
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}
