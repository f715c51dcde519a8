import type { TemplateKind } from '#contracts/seo/fill-template.ts';
import { getSiteOptions, siteOptions, updateSiteOptions, type SiteOptions } from '#contracts/seo/site-options.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { invalidParameters, item, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { listTermKinds } from './head/term-tree.ts';
import { updateSeoOptions, loadSeoOptions, type SeoOptions } from './options.ts';
import { managerRules } from './authorize.ts';

/** Template kinds of pages other than content and terms. */
const OTHER_KINDS: readonly TemplateKind[] = ['home', 'author', 'date', 'search', '404'];
const FIELDS = Object.keys(siteOptions.shape) as (keyof SiteOptions)[];

/** Serves the settings for the heads of all pages. */
export function serveSiteOptions(registry: RouteRegistry): void {
  registry.serve(getSiteOptions, async (call) => item(pick(await loadSeoOptions(call))), managerRules);
  registry.serve(
    updateSiteOptions,
    async (call) => {
      const { templates, ...fields } = call.body;
      rejectUnknownKinds(call.context, Object.keys(templates ?? {}));
      const values = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      const changed = await updateSeoOptions(call, (stored) => ({
        ...values,
        ...(templates && { templates: { ...stored.templates, ...templates } }),
      }));
      return item(pick(changed));
    },
    managerRules,
  );
}

/** Rejects templates of unknown kinds, which would never be used: probably a typo. */
function rejectUnknownKinds(context: OriginContext, names: readonly string[]): void {
  const types = [...context.kinds.values()].filter(({ hasPage }) => hasPage).map(({ type }) => type);
  const taxonomies = listTermKinds(context).map(({ taxonomy }) => taxonomy);
  const known = [...types, ...taxonomies, ...types.map((type) => `archive-${type}`), ...OTHER_KINDS];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const text = `Unknown kind of page in templates: "${unknown.join('", "')}". Use ${known.join(', ')}.`;
  throw invalidParameters([{ name: 'templates', code: 'rest_not_in_enum', text }]);
}

function pick(options: SeoOptions): SiteOptions {
  return Object.fromEntries(FIELDS.map((name) => [name, options[name]])) as SiteOptions;
}
