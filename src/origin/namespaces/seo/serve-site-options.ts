import type { TemplateKind } from '#contracts/seo/fill-template.ts';
import { getSiteOptions, siteOptions, updateSiteOptions, type SiteOptions } from '#contracts/seo/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { invalidParameters, item, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { termKindsOf } from './head/term-tree.ts';
import { changeSeoOptions, loadSeoOptions, type SeoOptions } from './options.ts';
import { forManagers } from './permit.ts';

/** Kinds of pages that are neither content nor terms. */
const OTHER_KINDS: readonly TemplateKind[] = ['home', 'author', 'date', 'search', '404'];
const FIELDS = Object.keys(siteOptions.shape) as (keyof SiteOptions)[];

/** Serves what the heads of all pages follow: our own routes. */
export function serveSiteOptions(registry: RouteRegistry): void {
  registry.serve(getSiteOptions, async (call) => item(pick(await loadSeoOptions(call))), forManagers);
  registry.serve(
    updateSiteOptions,
    async (call) => {
      const { templates, ...others } = call.body;
      refuseUnknownKinds(call.context, Object.keys(templates ?? {}));
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

/** Templates of a kind that no page is of would never be used: a misspelt name is told at once. */
function refuseUnknownKinds(context: OriginContext, sent: readonly string[]): void {
  const types = [...context.kinds.values()].filter(({ hasPage }) => hasPage).map(({ type }) => type);
  const taxonomies = termKindsOf(context).map(({ taxonomy }) => taxonomy);
  const known = [...types, ...taxonomies, ...types.map((type) => `archive-${type}`), ...OTHER_KINDS];
  const unknown = sent.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const text = `templates has no kind of page "${unknown.join('", "')}"; the kinds are ${known.join(', ')}.`;
  throw invalidParameters([{ name: 'templates', code: 'rest_not_in_enum', text }]);
}

function pick(options: SeoOptions): SiteOptions {
  return Object.fromEntries(FIELDS.map((name) => [name, options[name]])) as SiteOptions;
}
