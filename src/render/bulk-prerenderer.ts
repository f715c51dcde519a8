import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AstroPrerenderer, PathWithRoute } from 'astro';
import { outputFile } from './output-file.ts';
import { placeError } from './place-error.ts';
import { readBytes } from '#files/encode-text.ts';
import { requestFor, requestPath } from './request-path.ts';
import type { PagePath } from './update-pages.ts';

/** Updates the pages, and gives the files of those that are as they should be now. */
export type UpdateAll = (paths: readonly PagePath[]) => Promise<ReadonlySet<string>>;

export interface BulkOptions {
  siteUrl: string;
  publicFolder: string;
  /** Whether Astro is to go through the pages as well that are rendered already. */
  findsAll: boolean;
  update: UpdateAll;
}

/**
 * Renders with the standard prerenderer, but before Astro's own loop, which then has nothing left to render or write.
 * What can't be done in bulk (redirects, names that addresses can't hold, what `public/` has as well) is left to it.
 */
export function bulkPrerenderer(
  standard: AstroPrerenderer,
  { siteUrl, publicFolder, findsAll, update }: BulkOptions,
): AstroPrerenderer {
  const done = new Set<string>();
  return {
    ...standard,
    name: 'sortiment:bulk',
    getStaticPaths: async () => {
      const found = await standard.getStaticPaths();
      const byFile = new Map<string, PagePath & { pathname: string }>();
      const toPage = ({ pathname, route, cacheKey }: PathWithRoute): PagePath[] => {
        const file = outputFile(pathname, route.type);
        if (file === undefined || byFile.has(file) || existsSync(path.join(publicFolder, file))) return [];
        const render = async () => {
          try {
            const request = requestFor(pathname, route.type, siteUrl);
            const result = await standard.render(request, { routeData: route });
            return await readBytes(result instanceof Response ? result : result.response);
          } catch (error) {
            throw placeError(error, route.component);
          }
        };
        const page = {
          file,
          route: route.component,
          cacheKey,
          pathname: requestPath(pathname, route.type, siteUrl),
          render,
        };
        byFile.set(file, page);
        return [page];
      };
      const files = await update(found.flatMap(toPage));
      for (const { file, pathname } of byFile.values()) if (files.has(file)) done.add(pathname);
      if (findsAll) return found;
      return found.filter(({ pathname, route }) => !files.has(outputFile(pathname, route.type) ?? ''));
    },
    render: async (request, options) =>
      done.has(new URL(request.url).pathname) ? new Response(undefined) : standard.render(request, options),
  };
}
