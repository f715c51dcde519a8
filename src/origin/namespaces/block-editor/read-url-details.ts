import { isSortimentError } from '#contracts/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import type { guardedFetch } from '#origin/platform/guarded-fetch/index.ts';
import { findByAddress } from '#origin/platform/content/embeds/find-by-address.ts';
import type { AnyCall, RestError } from '#origin/platform/http/transport/index.ts';
import { readHead, type PageDetails } from './read-head.ts';

const PAGE = { maxBytes: 1024 * 1024, timeoutMs: 5000, accept: 'text/html' };

/**
 * What a page says of itself: a page of this site out of the store, any other out of its head.
 *
 * @throws when there is no such page, or none that can be read
 */
export async function readUrlDetails(
  call: AnyCall<'no_response'>,
  url: string,
  read: typeof guardedFetch,
): Promise<PageDetails> {
  const { addresses, context } = call;
  if (new URL(url).host === new URL(addresses.site).host) {
    const found = await findByAddress(context, addresses.site, url);
    if (!found) throw noResponse(call);
    const { name } = await loadSite(call);
    return { title: `${plainText(found.row.title)} – ${name}`, icon: '', description: '', image: '' };
  }
  try {
    const page = await read(url, PAGE);
    if (page.status !== 200) throw noResponse(call);
    return readHead(page.body.toString('utf8'), page.url);
  } catch (error) {
    throw isSortimentError(error) ? noResponse(call) : error;
  }
}

function noResponse({ refuse }: AnyCall<'no_response'>): RestError {
  return refuse('no_response', 'There is no page at this address, or it can not be read.');
}
