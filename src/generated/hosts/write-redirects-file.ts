import type { Host } from '#config/index.ts';
import { sitePath } from '#catalogue/addresses/base.ts';
import type { Redirect } from '../redirects/index.ts';
import { hostLimit } from './host-error.ts';

/** What these hosts read of the file: rules that name no pattern, characters of one, bytes of all. */
const LIMITS: Partial<Record<Host, { rules: number; ruleCharacters?: number; bytes?: number }>> = {
  cloudflare: { rules: 2000, ruleCharacters: 1000 },
  netlify: { rules: 10_000 },
  gitlab: { rules: 1000, bytes: 64 * 1024 },
};

/** Netlify can tell who asks for the links of a product by the query; the others can't. */
const digitalLinkRules = (): string[] =>
  ['linkset', 'all'].map(
    (type) => `${sitePath('/01/')}:gtin/ linkType=${type} ${sitePath('/01/')}:gtin/linkset.json 200!`,
  );

/**
 * The file `_redirects` of Cloudflare, Netlify and GitLab.
 * @throws SortimentError HOST_LIMIT
 */
export function writeRedirectsFile(host: Host, redirects: readonly Redirect[]): string {
  const lines = [
    ...(host === 'netlify' ? digitalLinkRules() : []),
    ...redirects.map(({ from, to }) => `${encodeURI(from)} ${encodeURI(to)} 301`),
  ];
  const text = lines.map((line) => `${line}\n`).join('');
  const { rules = Infinity, ruleCharacters = Infinity, bytes = Infinity } = LIMITS[host] ?? {};
  if (lines.length > rules) throw hostLimit(host, `${lines.length} redirects, of ${rules}`);
  const long = lines.find((line) => line.length > ruleCharacters);
  if (long !== undefined)
    throw hostLimit(host, `a redirect of ${long.length} characters, of ${ruleCharacters}: ${long.slice(0, 60)}…`);
  const size = Buffer.byteLength(text);
  if (size > bytes) throw hostLimit(host, `${size} bytes of redirects, of ${bytes}`);
  return text;
}
