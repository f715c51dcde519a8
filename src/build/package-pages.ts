import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InjectedRoute } from 'astro';
import { SortimentError } from '#contracts/index.ts';

const PAGES = fileURLToPath(new URL('../pages', import.meta.url));
const PAGE_FILE = /\.(?:astro|[jt]s)$/;

/**
 * Returns the pages of the package as routes. A page of the project with the same path takes precedence. Empty in a
 * checkout of Sortiment, whose pages are those of the project.
 *
 * @param srcDir Astro's `srcDir`.
 * @param folder Option `path`.
 * @throws SortimentError CONFIG_INVALID
 */
export function packagePages(srcDir: URL, folder: string): InjectedRoute[] {
  const own = path.join(fileURLToPath(srcDir), 'pages');
  const hasOtherPages = folder !== '/';
  if (own === PAGES && hasOtherPages)
    throw new SortimentError('CONFIG_INVALID', 'src/sortiment.config.ts has a problem:\n  path needs the package.', {
      hint: 'Install `sortiment` in your Astro project, or leave `path` out in a checkout of Sortiment.',
    });
  if (own === PAGES) return [];
  const isOwn = (name: string): boolean => ENDINGS.some((ending) => existsSync(path.join(own, name + ending)));
  return globSync('**/*.{astro,js,ts}', { cwd: PAGES })
    .filter((file) => !file.endsWith('.d.ts'))
    .filter((file) => !hasOtherPages || !ROOT_PAGES.has(file))
    .map((file) => ({ name: path.posix.join(folder, file.split(path.sep).join('/')).replace(PAGE_FILE, ''), file }))
    .filter(({ name }) => !isOwn(name))
    .map(({ name, file }) => ({
      pattern: name.replace(/\/index$/, '') || '/',
      entrypoint: path.join(PAGES, file),
    }));
}

/** Pages that only work at the root of a host. */
const ROOT_PAGES = new Set(['404.astro', 'robots.txt.ts', 'robots.txt.js']);

const ENDINGS = ['.astro', '.md', '.mdx', '.html', '.ts', '.js', '.mjs'];
