import type { AstroIntegrationLogger, HookParameters } from 'astro';
import type { Settings } from '#config/index.ts';
import { isOriginPath } from '../upstreams/index.ts';
import { serveDerived } from './serve-derived.ts';
import { shareUpstreams } from './share-upstreams.ts';
import { watchSnapshot } from './watch-snapshot.ts';

export interface ServeCatalogueOptions {
  settings: Settings;
  server: HookParameters<'astro:server:setup'>['server'];
  logger: AstroIntegrationLogger;
  refreshContent: HookParameters<'astro:server:setup'>['refreshContent'] | undefined;
}

/**
 * Adds to Astro's development server what the built site has beside its pages: derived images, mirrored documents and,
 * without upstreams of one's own, both interfaces. Content is reloaded when a sync commits.
 */
export async function serveCatalogue({
  settings,
  server,
  logger,
  refreshContent,
}: ServeCatalogueOptions): Promise<void> {
  const derived = serveDerived(settings);
  server.middlewares.use(derived.middleware);
  const unwatch = watchSnapshot(settings.snapshotPath, async () => {
    derived.forget();
    await refreshContent?.({});
    logger.info('The snapshot has changed: content reloaded.');
  });
  server.httpServer?.once('close', unwatch);
  if (settings.upstreams !== 'embedded' || settings.offline) return;
  const { origin } = await shareUpstreams(settings, (line) => logger.debug(line));
  if (!origin) return;
  server.middlewares.use((req, res, next) => {
    const [pathname = '/'] = (req.url ?? '/').split('?', 1);
    if (isOriginPath(pathname, origin.restRoot)) origin.listener(req, res);
    else next();
  });
}
