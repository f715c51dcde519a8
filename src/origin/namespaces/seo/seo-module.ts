import { fileURLToPath } from 'node:url';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { describeError } from '#origin/platform/store/log-error.ts';
import { serveBulkLists } from './bulk/list-posts.ts';
import { serveBulkUpdates } from './bulk/update-posts.ts';
import { serveConfiguration } from './configuration/serve-configuration.ts';
import { serveRemote } from './remote/serve-remote.ts';
import { serveHeads } from './head/serve-head.ts';
import { serveScores, serveStatistics } from './scores/count-scores.ts';
import { startAnalysis } from './scores/analyse-texts.ts';
import { serveIndexing } from './indexing/serve-indexing.ts';
import { syncSeoRecords } from './records/sync-records.ts';
import { repairRecords } from './records/index-records.ts';
import { serveSeoSettings, serveSiteOptions } from './settings.ts';
import { serveLookups } from './state/lookups.ts';
import { serveState } from './state/serve-state.ts';
import { serveWorkouts } from './state/workouts.ts';
import { serveTasks } from './tasks/serve-tasks.ts';

declare module '#origin/platform/registry/rights.ts' {
  interface NamespaceRights {
    seo_manage_options: true;
  }
}

/** The namespace `seo/v1`. */
export const seo: NamespaceModule = {
  name: 'seo',
  description: 'Titles, descriptions and structured data of pages for search engines and shared links.',
  namespaces: ['seo/v1'],
  migrations: fileURLToPath(new URL('migrations', import.meta.url)),
  rights: { administrator: ['seo_manage_options'] },
  follower: { follow: syncSeoRecords },
  async start(context) {
    let isWanted = true;
    const completing = repairRecords(context, () => isWanted).catch((error: unknown) => {
      context.log(`SEO records are incomplete: ${describeError(error)}`);
    });
    const scores = startAnalysis(context);
    return {
      async stop() {
        isWanted = false;
        await Promise.all([completing, scores.stop()]);
      },
    };
  },
  serve(registry) {
    serveSeoSettings(registry);
    serveSiteOptions(registry);
    serveState(registry);
    serveWorkouts(registry);
    serveLookups(registry);
    serveScores(registry);
    serveStatistics(registry);
    serveBulkLists(registry);
    serveBulkUpdates(registry);
    serveTasks(registry);
    serveConfiguration(registry);
    serveRemote(registry);
    serveHeads(registry);
    serveIndexing(registry);
  },
};
