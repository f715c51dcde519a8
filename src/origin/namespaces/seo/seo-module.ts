import { fileURLToPath } from 'node:url';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { serveSeoSettings } from './settings.ts';
import { serveBulkEditor } from './bulk-editor.ts';
import { serveState } from './state.ts';
import { serveHeads } from './head/serve-head.ts';
import { serveScores } from './scores.ts';
import { startAnalysis } from './analysis.ts';
import { serveLookups } from './links.ts';
import { serveTasks } from './tasks.ts';

declare module '#origin/platform/registry/rights.ts' {
  interface NamespaceRights {
    seo_manage_options: true;
  }
}

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
    serveState(registry);
    serveLookups(registry);
    serveScores(registry);
    serveBulkEditor(registry);
    serveTasks(registry);
    serveHeads(registry);
  },
};
