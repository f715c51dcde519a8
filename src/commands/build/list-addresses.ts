import { basePath } from '#catalogue/addresses/site-paths.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import type { ServedSite } from './serve-site.ts';

/**
 * Lists the URLs to print after everything has started.
 *
 * @param siteUrl Base URL of links; printed if it differs.
 */
export function listAddresses({ url, origin }: Pick<ServedSite, 'url' | 'origin'>, siteUrl: string): string {
  const base = basePath().slice(0, -1);
  const rows: [string, string][] = [['Site', url + basePath()]];
  if (origin) {
    rows.push(
      ['Product interface', `${url}/${PRODUCT_ROOT}`],
      ['  its documentation', `${url}/${PRODUCT_ROOT}docs/`],
      ['  a token', 'npm run origin -- token list --reveal'],
      ['Publishing interface', `${url}/${origin.restRoot}/`],
      ['Sign in', `${url}/admin/`],
      ['  edit heads', `${url}/admin/seo`],
      ['  an account', 'npm run origin -- user create <login> --email=<email>'],
    );
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, place]) => `  ${name.padEnd(width)}  ${place}`);
  const siteUrlNote =
    siteUrl !== url + base && `\nLinks point to ${siteUrl}. Set SITE_URL=${url}${base} to make them point here.`;
  return [...table, ...(siteUrlNote ? [siteUrlNote] : [])].join('\n');
}
