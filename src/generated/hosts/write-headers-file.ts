import type { Host } from '#config/index.ts';
import { REVALIDATED, type HeaderRule } from './header-rules.ts';
import { hostLimit } from './host-error.ts';

/** What Cloudflare reads of the file; Netlify says of no limit. */
const MAX_RULES = 100;
const MAX_LINE_CHARACTERS = 2000;

/**
 * The file `_headers` of Cloudflare and Netlify. Both join the values where several rules give the same header, so the
 * one for caching, which they send by themselves, is left out where it isn't another.
 * @throws SortimentError HOST_LIMIT
 */
export function writeHeadersFile(host: Host, rules: readonly HeaderRule[]): string {
  const blocks = rules.map(({ path, headers }) => {
    const lines = Object.entries(headers)
      .filter(([, value]) => value !== REVALIDATED)
      .map(([name, value]) => `  ${name}: ${value}`);
    return [path, ...lines];
  });
  if (blocks.length > MAX_RULES) throw hostLimit(host, `${blocks.length} rules for headers, of ${MAX_RULES}`);
  const long = blocks.flat().find((line) => line.length > MAX_LINE_CHARACTERS);
  if (long !== undefined)
    throw hostLimit(host, `a header of ${long.length} characters, of ${MAX_LINE_CHARACTERS}: ${long.slice(0, 60)}…`);
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}
