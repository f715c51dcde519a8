import { sitePath } from '#catalogue/addresses/base.ts';
import type { Redirect } from '../redirects/index.ts';
import { isAboutAll, type HeaderRule } from './header-rules.ts';
import { splitPattern } from './headers-for.ts';
import { hostLimit } from './host-error.ts';

const MAX_BYTES = 20 * 1024;

/**
 * `staticwebapp.config.json`. Its patterns end in `*`, or in `*.{json}`: rules that need another one are left out, and
 * the files they are about come without these headers.
 * @throws SortimentError HOST_LIMIT
 */
export function writeAzureFile(rules: readonly HeaderRule[], redirects: readonly Redirect[]): string {
  const all = rules.find(isAboutAll)?.headers ?? {};
  const file = {
    // The first that matches is the only one that counts.
    routes: [
      ...redirects.map(({ from, to }) => ({ route: encodeURI(from), redirect: encodeURI(to), statusCode: 301 })),
      ...rules.flatMap((rule) => {
        const route = routeOf(rule);
        return route === undefined ? [] : [{ route, headers: rule.headers }];
      }),
    ],
    responseOverrides: { 404: { rewrite: sitePath('/404.html') } },
    globalHeaders: all,
    mimeTypes: { '.ndjson': 'application/x-ndjson', '.md': 'text/markdown; charset=utf-8' },
    trailingSlash: 'always',
  };
  const text = `${JSON.stringify(file)}\n`;
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES)
    throw hostLimit('azure', `${size} bytes of rules, of ${MAX_BYTES}, with ${redirects.length} redirects`);
  return text;
}

/** Undefined for what holds everywhere, which stands elsewhere, and for what can't be said. */
function routeOf(rule: HeaderRule): string | undefined {
  const [start, end] = splitPattern(rule.path);
  if (end === '') return isAboutAll(rule) ? undefined : rule.path;
  return end.startsWith('.') && !end.includes('/') ? `${start}*.{${end.slice(1)}}` : undefined;
}
