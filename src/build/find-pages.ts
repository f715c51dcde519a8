import type { ProductReaders } from '#catalogue/read-model/product-readers.ts';
import { renderContext, type CollectionEntries, type RenderScope } from '#catalogue/site/render-context.ts';
import { createIncompatibleError, type BundleRenderer, type BundleState } from './bundle/astro-internals.ts';
import { hasUnoptimizedImage } from './bundle/sources.ts';
import { FAMILY_ROUTE, PRODUCT_ROUTE } from './choose-scope.ts';
import { outputFile, type PagePath } from './update-pages.ts';
import { readPageContent } from '#files/page-writer.ts';
import { type RouteReads, openTracer, type Tracer } from './manifest/recorded-reads.ts';
import { basePath } from '#catalogue/addresses/site-paths.ts';

/**
 * Finds the pages of a cached bundle. Only pages of the latest call can be rendered.
 *
 * @param publicFiles Files of `public/`, which take precedence over pages.
 */
export function openPageFinder(
  renderer: BundleRenderer,
  {
    bundle,
    siteUrl,
    products: { productIndex, readProduct, readTranscript },
    provided,
    publicFiles,
  }: {
    bundle: BundleState;
    siteUrl: string;
    products: ProductReaders;
    provided: ReadonlyMap<string, CollectionEntries>;
    publicFiles: ReadonlySet<string>;
  },
) {
  let scope: RenderScope | undefined;
  let isScopeRead = false;
  let tracer: Promise<Tracer> | undefined;
  const before = renderContext.current;
  // Routes whose paths depend on the scope read it.
  renderContext.current = {
    productIndex,
    readProduct,
    readTranscript,
    provided,
    get scope() {
      isScopeRead = true;
      return scope;
    },
  };
  return {
    /**
     * @param now Product pages to include; undefined for all.
     * @param routes Routes to include; undefined for all.
     * @throws SortimentError BUNDLE_INCOMPATIBLE
     */
    find: async (now: RenderScope | undefined, routes?: readonly string[]) => {
      scope = now;
      isScopeRead = false;
      /** Reads that it took to find the pages of each route. */
      const readsByRoute = new Map<string, RouteReads>();
      // Created once, because it caches the results of shared reads.
      const {
        answersIn,
        keyNow,
        render: traceRender,
      } = await (tracer ??= renderer.createReadRecorder().then(openTracer));
      const found = await renderer.paths(routes, (route, reads) => {
        readsByRoute.set(route, { answers: answersIn(reads), isScoped: isScopeRead });
        isScopeRead = false;
      });
      const isKnown = (route: string) => PRODUCT_ROUTE.test(route) || FAMILY_ROUTE.test(route);
      // Pages depend on the scope without the manifest knowing it.
      const isUnclear = [...readsByRoute].some(([route, { isScoped }]) => isScoped && !isKnown(route));
      const paths = found.flatMap((page): PagePath[] => {
        const { pathname, type, component, props } = page;
        const file = outputFile(pathname, type);
        if (file === undefined) throw createIncompatibleError(`${pathname} can't be rendered by it`);
        if (publicFiles.has(file)) return [];
        const render = async () => {
          const isScoped = readsByRoute.get(component)?.isScoped ?? false;
          const { result: written, ...traced } = await traceRender({ route: component, props, isScoped }, () =>
            renderer.render(page, () => new Request(requestUrl(pathname, type, siteUrl))).then(readPageContent),
          ).catch((error: unknown) => {
            throw locateError(error, component);
          });
          if (!written) throw createIncompatibleError(`${pathname} is not a page`);
          if (hasUnoptimizedImage(written.text, bundle))
            throw createIncompatibleError('pages contain images that Astro resizes');
          return { written, ...traced };
        };
        return [{ file, route: component, keyNow: (trace) => keyNow(trace, props), render }];
      });
      const duplicate = [...Map.groupBy(paths, ({ file }) => file)].find(([, same]) => same.length > 1);
      if (duplicate) throw createIncompatibleError(`two routes generate ${duplicate[0]}`);
      return { paths, routes: readsByRoute, isUnclear };
    },
    close: (): void => {
      renderContext.current = before;
    },
  };
}

/**
 * Adds the page's file to an error without a location, as Astro's loop does.
 *
 * @param component File of its route.
 */
function locateError(error: unknown, component: string): unknown {
  if (!(error instanceof Error) || 'id' in error || ('type' in error && error.type === 'AstroError')) return error;
  return Object.assign(error, { id: component });
}

/** Returns the URL that Astro requests for a path: pages end with a slash, files don't. */
function requestUrl(pathname: string, type: string, siteUrl: string): URL {
  const bare = pathname.replace(/^\//, '').replace(/\/$/, '');
  return new URL(`${basePath()}${bare}${type === 'endpoint' || bare === '' ? '' : '/'}`, siteUrl);
}
