import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InjectedRoute } from 'astro';

const PAGES = fileURLToPath(new URL('../pages', import.meta.url));
const PAGE_FILE = /\.(?:astro|[jt]s)$/;

/**
 * Returns the pages of the package as routes. A page of the project with the same path takes precedence. Empty in a
 * checkout of Sortiment, whose pages are those of the project.
 *
 * @param srcDir Astro's `srcDir`.
 */
export function packagePages(srcDir: URL): InjectedRoute[] {
  const own = path.join(fileURLToPath(srcDir), 'pages');
  if (own === PAGES) return [];
  const isOwn = (name: string): boolean => ENDINGS.some((ending) => existsSync(path.join(own, name + ending)));
  return globSync('**/*.{astro,js,ts}', { cwd: PAGES })
    .filter((file) => !file.endsWith('.d.ts'))
    .map((file) => ({ name: file.split(path.sep).join('/').replace(PAGE_FILE, ''), file }))
    .filter(({ name }) => !isOwn(name))
    .map(({ name, file }) => ({
      pattern: `/${name.replace(/(?:^|\/)index$/, '')}`,
      entrypoint: path.join(PAGES, file),
    }));
}

const ENDINGS = ['.astro', '.md', '.mdx', '.html', '.ts', '.js', '.mjs'];
