import { fileURLToPath } from 'node:url';
import { INDEXING } from '#contracts/seo/indexing.ts';
import { item } from '#origin/platform/http/transport/call.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { writerRules } from './authorize.ts';
import { serveBulkLists } from './bulk/list-posts.ts';
import { serveBulkUpdates } from './bulk/update-posts.ts';
import { serveConfiguration } from './configuration/serve-configuration.ts';
import { serveRemote } from './serve-remote.ts';
import { serveHeads } from './head/serve-head.ts';
import { serveScores, serveStatistics } from './scores/count-scores.ts';
import { startAnalysis } from './scores/analyse-texts.ts';
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
  unshownTables: ['seo_head'],
  start: (context) => Promise.resolve(startAnalysis(context)),
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
    // Records are computed when requested, so that none is ever missing.
    for (const route of INDEXING)
      registry.serve(route, () => item({ objects: [], next_url: false as const }), writerRules);
  },
};
