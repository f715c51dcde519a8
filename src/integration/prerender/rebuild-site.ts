import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import type { Settings } from '../../config/index.ts';
import { SortimentError } from '../../contracts/index.ts';
import { BUILD_HOST, type BuildHost } from '../../loaders/index.ts';
import { tellProgress } from '../tell-progress.ts';
import { openBundle } from './astro-internals.ts';
import { buildPlaces } from './build-places.ts';
import { finishBuild, siteFiles } from './finish-build.ts';
import type { KeptBundle } from './kept-bundle.ts';
import { loadCollections } from './load-collections.ts';
import { openProductReader } from './open-product-reader.ts';
import { outputFile } from './output-file.ts';
import { readLedger, type FileReferences, type PageLedger } from './page-ledger.ts';
import { openPageWriter } from './page-writer.ts';
import { readBytes } from './read-bytes.ts';
import { crewSize, renderInCrew } from './render-crew.ts';
import { requestFor } from './request-path.ts';
import { sitemapOptions } from './sitemap-options.ts';
import { updatePages, type PagePath } from './update-pages.ts';
import { writeSitemap } from './write-sitemap.ts';

type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn'>;

/**
 * Builds from the snapshot with a kept bundle, without Vite and Astro's build.
 * @param digest Of the snapshot.
 * @throws SortimentError KEPT_BUNDLE_UNFIT when the bundle can't do it: build with Vite then. Other errors are those
 *   of pages, which Vite would only run into as well.
 */
export async function rebuildSite(
  settings: Settings,
  {
    bundle,
    digest,
    logger,
    threads,
  }: { bundle: KeptBundle; digest: string | undefined; logger: Logger; threads: number | undefined },
): Promise<{ rendered: number; written: number }> {
  process.env['NODE_ENV'] ??= 'production';
  const { distFolder, siteUrl } = settings;
  const { ledgerFile, bundleFolder } = buildPlaces(settings);
  const provided = await loadCollections(settings, (message) => logger.warn(message));
  for (const [collection, entries] of Object.entries(bundle.collections)) provided.set(collection, entries);
  const reader = openProductReader(settings, { keepOpen: true });
  const host: BuildHost = { provided, readProduct: reader.read };
  globalThis[BUILD_HOST] = host;
  try {
    const renderer = await openBundle(bundleFolder, bundle.state, (level, message) => {
      if (level === 'warn' || level === 'error') logger.warn(message);
    });
    const previous = readLedger(ledgerFile);
    if (previous?.fingerprint !== bundle.fingerprint || previous.distFolder !== distFolder || !previous.others)
      throw unfit('the build that kept it has not come to its end');
    const lacking = findLacking(settings, previous.others);
    if (lacking !== undefined) throw unfit(`${lacking} is gone from ${distFolder}`);
    const names: string[] = [];
    const paths = (await renderer.paths()).map(({ pathname, type, cacheKey, routeData }) => {
      const file = outputFile(pathname, type);
      if (file === undefined) throw unfit(`${pathname} is not for it to render`);
      const request = requestFor(pathname, type, siteUrl);
      if (type === 'page') names.push(new URL(request.url).pathname.slice(1));
      const render = async () => {
        const bytes = await readBytes(await renderer.render(request, routeData));
        if (bytes === undefined) throw unfit(`${pathname} is no page`);
        return bytes;
      };
      return { file, cacheKey, render };
    });
    if (new Set(paths.map(({ file }) => file)).size < paths.length) throw unfit('two pages have one address');
    await checkSample(paths, previous, distFolder);
    const writer = openPageWriter(distFolder);
    const { ledger, rendered, written } = await updatePages({
      paths,
      ledgerFile,
      previous,
      fingerprint: bundle.fingerprint,
      distFolder,
      writer,
      onProgress: tellProgress('pages', (message) => logger.info(message)),
      renderMany: async (files, tell) => {
        const size = crewSize(files.length, threads);
        if (size === 0) return new Map();
        return renderInCrew(files, size, { settings, bundleFolder, state: bundle.state, collections: provided }, tell);
      },
    });
    if (host.storeWasRead) throw unfit("a page reads Astro's content store itself, which isn't kept");
    await finishBuild(settings, {
      ledger,
      previous: previous.complete ? previous : undefined,
      ledgerFile,
      writer,
      digest,
      logger,
      products: provided.get('products'),
      isNewBundle: false,
      ...(bundle.sitemap && {
        addTo: async (folder, built) =>
          writeSitemap(
            settings,
            folder,
            names,
            sitemapOptions(() => built),
          ),
      }),
    });
    return { rendered, written };
  } finally {
    globalThis[BUILD_HOST] = undefined;
    reader.close();
  }
}

/** Renders a page that should be as it is, and compares: the bundle and what Astro's internals give it may not fit. */
async function checkSample(paths: readonly PagePath[], { pages }: PageLedger, distFolder: string): Promise<void> {
  const unchanged = paths.filter(({ file, cacheKey }) => cacheKey !== undefined && pages.get(file)?.key === cacheKey);
  const sample = unchanged[Math.floor(unchanged.length / 2)];
  if (!sample) return;
  const file = path.join(distFolder, sample.file);
  const bytes = await sample.render();
  if (bytes && existsSync(file) && !readFileSync(file).equals(bytes)) throw unfit(`it gives another ${sample.file}`);
}

/** A file that only a build with Vite puts into the site, and that isn't there. */
function findLacking({ root, distFolder }: Settings, { assets }: FileReferences): string | undefined {
  const files = [...assets.map((place) => place.slice(1)), ...siteFiles(path.join(root, 'public'))];
  return files.find((file) => !existsSync(path.join(distFolder, file)));
}

function unfit(reason: string): SortimentError {
  return new SortimentError('KEPT_BUNDLE_UNFIT', `The kept bundle can't be used: ${reason}.`, {
    hint: 'Build with Vite.',
  });
}
