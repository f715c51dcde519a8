import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AstroPrerenderer } from 'astro';
import { AstroError } from 'astro/errors';
import { outputFile } from './output-file.ts';
import { readBytes } from './read-bytes.ts';
import { requestFor } from './request-path.ts';
import type { PagePath } from './update-pages.ts';

/** Updates the pages, and gives the files of those that are as they should be now. */
export type UpdateAll = (paths: readonly PagePath[]) => Promise<ReadonlySet<string>>;

/**
 * Renders with the standard prerenderer, but before Astro's own loop, which then has nothing left to render or write.
 * What can't be done in bulk (redirects, names that addresses can't hold, what `public/` has as well) is left to it.
 */
export function bulkPrerenderer(
  standard: AstroPrerenderer,
  { siteUrl, publicFolder, update }: { siteUrl: string; publicFolder: string; update: UpdateAll },
): AstroPrerenderer {
  const done = new Set<string>();
  return {
    ...standard,
    name: 'sortiment:bulk',
    getStaticPaths: async () => {
      const found = await standard.getStaticPaths();
      const byFile = new Map<string, PagePath & { pathname: string }>();
      for (const { pathname, route, cacheKey } of found) {
        const file = outputFile(pathname, route.type);
        if (file === undefined || byFile.has(file) || existsSync(path.join(publicFolder, file))) continue;
        const request = requestFor(pathname, route.type, siteUrl);
        byFile.set(file, {
          file,
          cacheKey,
          pathname: new URL(request.url).pathname,
          render: async () => {
            try {
              const result = await standard.render(request, { routeData: route });
              return await readBytes(result instanceof Response ? result : result.response);
            } catch (error) {
              throw placeError(error, route.component);
            }
          },
        });
      }
      const files = await update([...byFile.values()]);
      for (const { file, pathname } of byFile.values()) if (files.has(file)) done.add(pathname);
      return found;
    },
    render: async (request, options) =>
      done.has(new URL(request.url).pathname) ? new Response(undefined) : standard.render(request, options),
  };
}

/** As Astro's loop does: an error without a place gets that of its page. */
function placeError(error: unknown, component: string): unknown {
  if (error instanceof Error && !AstroError.is(error) && !('id' in error)) Object.assign(error, { id: component });
  return error;
}
