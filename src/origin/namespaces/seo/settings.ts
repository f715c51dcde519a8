import { getSeoSettings, updateSeoSettings, type SeoSettings } from '#contracts/seo/settings.ts';
import { canEdit, findRow } from '#origin/platform/content/content-rights.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { invalidParameters } from '#origin/platform/http/transport/rest-error.ts';
import { canEditProtectedSettings, EDITOR_SETTINGS, managerRules } from './authorize.ts';
import { writeSeoSettings, readSeoSettings, type SeoObject } from './object-settings.ts';
import type { TemplateKind } from '#contracts/seo/fill-template.ts';
import { getSiteOptions, siteOptions, updateSiteOptions, type SiteOptions } from '#contracts/seo/site-options.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { listTermKinds } from './head/find-page.ts';
import { updateSeoOptions, loadSeoOptions, type SeoOptions } from './options.ts';

/** Serves the settings of content, terms and users. */
export function serveSeoSettings(registry: RouteRegistry): void {
  registry.serve(getSeoSettings, getSettings, { permit: authorizeObject });
  registry.serve(updateSeoSettings, updateSettings, { permit: authorizeObject });
}

async function getSettings(call: Call<typeof getSeoSettings>): Promise<ResultOf<typeof getSeoSettings>> {
  const { store } = call.context;
  return present(call, await readSeoSettings(store.db, call.context, call.params));
}

async function updateSettings(call: Call<typeof updateSeoSettings>): Promise<ResultOf<typeof updateSeoSettings>> {
  const { context, params, body, caller, refuse } = call;
  const forbidden = Object.entries(body).find(([name, value]) => EDITOR_SETTINGS.has(name) && value !== undefined);
  if (forbidden && !canEditProtectedSettings(caller))
    throw refuse('rest_forbidden', `Only editors may set "${forbidden[0]}".`);
  return present(call, await writeContent(context.store.db, (tx) => writeSeoSettings(tx, context, params, body)));
}

type ObjectCall = AnyCall<'rest_not_found'> & { params: SeoObject };

function present({ params: { type, id }, refuse }: ObjectCall, settings: SeoSettings | undefined) {
  if (!settings) throw refuse('rest_not_found', `There is no "${type}" with the id ${id}.`);
  return item<SeoSettings & SeoObject>({ type, id, ...settings });
}

/** Authorizes callers who can edit the object. A missing object is only reported to callers who can edit its kind. */
async function authorizeObject(call: ObjectCall): Promise<void> {
  const { caller, params, context, refuse } = call;
  const kind = context.kinds.get(params.type);
  const row = kind && (await findRow(call, kind, params.id));
  const isEditor = row
    ? canEdit(row, caller)
    : can(caller, kind?.rights.edit ?? (params.type === 'user' ? 'edit_users' : 'manage_categories'));
  const isSelf = params.type === 'user' && caller.user?.id === params.id;
  if (!isEditor && !isSelf) throw refuse('rest_forbidden', 'You are not allowed to edit this object.');
}

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
