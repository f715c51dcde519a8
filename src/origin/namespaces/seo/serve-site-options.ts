import { getSiteOptions, siteOptions, updateSiteOptions, type SiteOptions } from '#contracts/seo/index.ts';
import { item, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { changeSeoOptions, loadSeoOptions, type SeoOptions } from './options.ts';
import { forManagers } from './permit.ts';

const FIELDS = Object.keys(siteOptions.shape) as (keyof SiteOptions)[];

/** Serves what the heads of all pages follow: our own routes. */
export function serveSiteOptions(registry: RouteRegistry): void {
  registry.serve(getSiteOptions, async (call) => item(pick(await loadSeoOptions(call))), forManagers);
  registry.serve(
    updateSiteOptions,
    async (call) => {
      const { templates, ...others } = call.body;
      const sent = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
      const changed = await changeSeoOptions(call, (stored) => ({
        ...sent,
        ...(templates && { templates: { ...stored.templates, ...templates } }),
      }));
      return item(pick(changed));
    },
    forManagers,
  );
}

function pick(options: SeoOptions): SiteOptions {
  return Object.fromEntries(FIELDS.map((name) => [name, options[name]])) as SiteOptions;
}
