import { sitePath } from '#catalogue/addresses/base.ts';
import type { Redirect } from '../redirects/index.ts';
import { REVALIDATED, type HeaderRule } from './header-rules.ts';
import { hostLimit } from './host-error.ts';

const MAX_REDIRECTS = 2048;

/**
 * `vercel.json`. It is read from the folder that is published, or else from the project's, where it has to be copied to.
 * @throws SortimentError HOST_LIMIT
 */
export function writeVercelFile(rules: readonly HeaderRule[], redirects: readonly Redirect[]): string {
  if (redirects.length > MAX_REDIRECTS) throw hostLimit('vercel', `${redirects.length} redirects, of ${MAX_REDIRECTS}`);
  const file = {
    $schema: 'https://openapi.vercel.sh/vercel.json',
    trailingSlash: true,
    redirects: redirects.map(({ from, to }) => ({
      source: escapePattern(encodeURI(from)),
      destination: encodeURI(to),
      statusCode: 301,
    })),
    rewrites: [
      // The whole list of links of a product, for who asks for it.
      {
        source: `${sitePath('/01/')}:gtin(\\d{14})/`,
        has: [{ type: 'query', key: 'linkType', value: '(linkset|all)' }],
        destination: `${sitePath('/01/')}:gtin/linkset.json`,
      },
    ],
    headers: rules.flatMap(({ path, headers }) => {
      const told = Object.entries(headers).filter(([, value]) => value !== REVALIDATED);
      return {
        source: escapePattern(path).replace('\\*', '(.*)'),
        headers: told.map(([key, value]) => ({ key, value })),
      };
    }),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Their paths are patterns: what means something in one stands for itself. */
function escapePattern(path: string): string {
  return path.replace(/[.:*+?(){}[\]|^$]/g, String.raw`\$&`);
}
