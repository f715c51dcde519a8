import * as routes from '#contracts/seo/state.ts';
import {
  failure,
  item,
  type ResultOf,
  type ParameterCheck,
  type AnyCall,
  requireUser,
  type Call,
  type RouteRules,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentKinds } from '#origin/platform/registry/content-kind.ts';
import { updateSeoOptions, loadSeoOptions, type SeoOptions } from './options.ts';
import {
  managerRules,
  writerRules,
  lockObjectMeta,
  readObjectMeta,
  requireRights,
  saveObjectMeta,
} from './settings.ts';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import type { RouteBody } from '#contracts/index.ts';
import { isWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { tryParse } from '#contracts/scan-text.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';
import { lockOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { user } from '#origin/platform/store/schema.ts';
import * as remote from '#contracts/seo/remote.ts';
import type { RouteDeclaration } from '#contracts/route.ts';

const DONE = { success: true, status: 200 } as const;

/** Serves the stored state of hints, setup steps and first-time events, the configuration, and remote services. */
export function serveState(registry: RouteRegistry): void {
  serveUserState(registry);
  serveSiteState(registry);
  serveNewTypes(registry);
  serveImport(registry);
  serveConfiguration(registry);
  serveRemote(registry);
  // Records are computed when requested, so that none is ever missing.
  for (const route of routes.INDEXING)
    registry.serve(route, () => item({ objects: [], next_url: false as const }), writerRules);
}

function serveUserState(registry: RouteRegistry): void {
  const serve = registry.with(writerRules);
  registry.with({ ...writerRules, checks: { key: isOneOf(routes.ALERTS) } })(routes.dismissAlert, async (call) => {
    const key = String(call.body.key);
    await updateUserState(call, ({ alerts }) => (alerts.includes(key) ? {} : { alerts: [...alerts, key] }));
    return item(DONE);
  });
  registry.serve(
    routes.markIntroduction,
    async (call) => {
      const { introduction_id: id } = call.params;
      if (!isIntroduction(id)) return failure(400, []);
      const { is_seen } = call.body;
      const seen_on = is_seen ? Math.floor(Date.now() / 1000) : 0;
      await updateUserState(call, ({ introductions }) => ({
        introductions: { ...introductions, [id]: { is_seen, seen_on } },
      }));
      return item({ json: { success: true } });
    },
    // Skip this check for an unknown hint: the handler rejects it.
    {
      ...writerRules,
      checks: {
        is_seen: (_, { sent }) => (isIntroduction(String(sent('introduction_id'))) ? undefined : { accepted: true }),
      },
    },
  );
  serve(routes.getVideoPermission, async (call) =>
    item({ json: { value: (await readUserState(call)).video_embed_permission } }),
  );
  serve(routes.setVideoPermission, async (call) => {
    await updateUserState(call, () => ({ video_embed_permission: call.body.value }));
    return item({ json: { success: true } });
  });
  serve(routes.dismissPlannerBanner, async (call) => {
    await updateUserState(call, () => ({ planner_banner_dismissed: call.body.is_dismissed }));
    return item({ success: true });
  });
}

function serveSiteState(registry: RouteRegistry): void {
  const serve = registry.with(managerRules);
  serve(routes.dismissSiteKit, async (call) => {
    await updateSeoOptions(call, { site_kit_dismissed: call.body.is_dismissed });
    return item({ success: true });
  });
  serve(routes.trackSetupSteps, async (call) => {
    const { body, refuse } = call;
    const steps = Object.entries(routes.SETUP_STEPS).flatMap(([name, bodyKey]) => {
      const value = body[name as routes.SetupStep] ?? body[bodyKey];
      return value === undefined ? [] : [[name, value] as const];
    });
    if (steps.length === 0)
      throw refuse('seo_set_site_kit_usage_tracking', `Send one of ${Object.keys(routes.SETUP_STEPS).join(', ')}.`);
    await updateSeoOptions(call, ({ site_kit_setup }) => ({
      site_kit_setup: { ...site_kit_setup, ...Object.fromEntries(steps) },
    }));
    return item({ success: true });
  });
  serve(routes.trackAction, async (call) => {
    const action = routes.TRACKED_ACTIONS.find((name) => name === call.body.action);
    if (action === undefined) {
      const error = `Unknown action. Use one of ${routes.TRACKED_ACTIONS.join(', ')}.`;
      return failure(400, { success: false, error });
    }
    await recordFirstTime(call, action);
    return item({ success: true, action });
  });
  serve(routes.setIntegration, async (call) => {
    const name = routes.INTEGRATIONS.find((known) => known === call.body.integration);
    if (name === undefined) {
      const error = `Unknown integration. Use one of ${routes.INTEGRATIONS.join(', ')}.`;
      return item({ json: { success: false, status: 500, error } });
    }
    const { active } = call.body;
    await updateSeoOptions(call, ({ integrations }) => ({ integrations: { ...integrations, [name]: active } }));
    return item({ json: DONE });
  });
}

/** Records the time of an action, unless it was recorded before. */
export async function recordFirstTime(call: AnyCall, action: (typeof routes.TRACKED_ACTIONS)[number]): Promise<void> {
  if ((await loadSeoOptions(call)).first_times[action] !== undefined) return;
  const now = new Date().toISOString();
  await updateSeoOptions(call, ({ first_times }) => ({ first_times: { [action]: now, ...first_times } }));
}

function createDismissResponse(name: unknown): ResultOf<typeof routes.dismissNewPostType> {
  if (name !== undefined) return item({ message: 'The type is no longer shown as new.', success: true, status: 200 });
  return failure(400, { message: 'Missing name: send the name of the type to dismiss.', success: false, status: 400 });
}

/** Serves dismissals of new types. Content types and taxonomies come with modules, so that none is ever new. */
function serveNewTypes(registry: RouteRegistry): void {
  const isType = isKnown((kinds) => [...kinds.keys()]);
  const isTaxonomy = isKnown((kinds) =>
    [...kinds.values()].flatMap(({ terms }) => terms.map(({ taxonomy }) => taxonomy)),
  );
  registry.with({ ...writerRules, checks: { postTypeName: isType, post_type_name: isType } })(
    routes.dismissNewPostType,
    ({ body }) => createDismissResponse(body.postTypeName ?? body.post_type_name),
  );
  registry.with({ ...writerRules, checks: { taxonomyName: isTaxonomy, taxonomy_name: isTaxonomy } })(
    routes.dismissNewTaxonomy,
    ({ body }) => createDismissResponse(body.taxonomyName ?? body.taxonomy_name),
  );
}

function isIntroduction(id: string): boolean {
  return routes.INTRODUCTIONS.some((known) => known === id);
}

function isOneOf(known: readonly string[]): ParameterCheck {
  return (sent) => (known.some((name) => name === sent) ? undefined : { text: `Use one of ${known.join(', ')}.` });
}

function isKnown(names: (kinds: ContentKinds) => readonly string[]): ParameterCheck {
  return (sent, scope) => isOneOf(names(scope.context.kinds))(sent, scope);
}

/** Importable settings by plugin, as defined by the API. */
const SETTINGS_KINDS = ['posttype_default', 'default_archive', 'custom_archive', 'general', 'taxonomy'];
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  aioseo: ['validate_data', 'posts', ...SETTINGS_KINDS.map((kind) => `${kind}_settings`), 'cleanup'],
  'conflicting-plugins': ['deactivation'],
};

/** Serves imports from other plugins. None shares the store with the origin, so there is never anything to import. */
function serveImport(registry: RouteRegistry): void {
  registry.with(managerRules)(routes.importSettings, ({ params: { plugin, type }, refuse }) => {
    const isKnownPart = Object.hasOwn(IMPORTS, plugin) && IMPORTS[plugin]?.includes(type);
    if (!isKnownPart) throw refuse('rest_no_route', `Unknown import "${type}" of "${plugin}".`);
    return item({ objects: plugin === 'aioseo' ? false : [], next_url: false });
  });
}

/** Key of the state in the object settings of the user. */
const KEY = 'state';

/** Dismissed alerts, seen hints and permissions of a user. Invalid values are treated as missing. */
const userState = z.object({
  alerts: z.array(z.string()).catch([]),
  /** Seen hints by ID; times are Unix seconds. */
  introductions: z.record(z.string(), z.object({ is_seen: z.boolean(), seen_on: z.int() })).catch({}),
  video_embed_permission: z.boolean().catch(false),
  planner_banner_dismissed: z.boolean().catch(false),
});
type UserState = z.output<typeof userState>;

async function readUserState({ context, caller }: AnyCall): Promise<UserState> {
  const { id } = requireUser(caller);
  return parseState((await readObjectMeta(context.store.db, 'user', [id])).get(id));
}

/** Changes the state of the caller. `change` receives the stored state. */
async function updateUserState({ context, caller }: AnyCall, change: (stored: UserState) => Partial<UserState>) {
  const { id } = requireUser(caller);
  await retryTransaction(context.store.db, async (tx) => {
    const lockedMeta = await lockObjectMeta(tx, 'user', id);
    const stored = parseState(lockedMeta);
    const state = JSON.stringify({ ...stored, ...change(stored) });
    await saveObjectMeta(tx, 'user', id, { ...lockedMeta, [KEY]: state });
  });
}

function parseState(meta: Readonly<Record<string, string>> | undefined): UserState {
  return userState.safeParse(tryParse(meta?.[KEY] ?? '')).data ?? userState.parse({});
}

/** Serves the initial configuration: publisher, social profiles, and progress. */
function serveConfiguration(registry: RouteRegistry): void {
  const serve = registry.with(managerRules);
  // Stores the valid fields and reports the invalid ones.
  serve(routes.setSiteRepresentation, async (call) => {
    const { description, ...fields } = call.body;
    const failures = await findInvalidFields(call, fields);
    const valid = Object.entries(fields).filter(([name]) => !failures.includes(name));
    const cleaned = valid.map(([name, value]) => [name, typeof value === 'string' ? plainText(value) : value]);
    await updateSeoOptions(call, Object.fromEntries(cleaned) as Partial<SeoOptions>);
    if (description !== undefined) await saveTagline(call, plainText(description));
    if (failures.length === 0) return item(DONE);
    const error = `Invalid fields were not saved: ${failures.join(', ')}. Send absolute image URLs and existing IDs.`;
    return failure(400, { success: false, status: 400, error, failures });
  });
  // Saves all profiles, or none if one of them is invalid.
  serve(routes.setSocialProfiles, async (call) => {
    const { facebook_site, twitter_site, other_social_urls } = call.body;
    const handle = twitter_site && routes.parseHandle(twitter_site);
    const invalid = (name: string, url = '') => (url === '' || isWebAddress(url) ? [] : [name]);
    const failures = [
      ...invalid('facebook_site', facebook_site),
      ...(twitter_site !== undefined && handle === undefined ? ['twitter_site'] : []),
      ...(other_social_urls ?? []).flatMap((url, i) => invalid(`other_social_urls-${i}`, url)),
    ];
    if (failures.length > 0) {
      const error = `Invalid profile addresses: ${failures.join(', ')}. Nothing was saved.`;
      return item({ json: { success: false, status: 200, error, failures } });
    }
    await updateSeoOptions(call, {
      facebook_site,
      twitter_site: handle,
      other_social_urls: other_social_urls?.filter((url) => url !== ''),
    });
    return item({ json: DONE });
  });
  serve(routes.checkCapability, ({ caller, query }) => {
    const canEdit = can(caller, 'edit_users') || caller.user?.id === query.user_id;
    return item({ success: canEdit, status: canEdit ? 200 : 403 });
  });
  serve(routes.enableTracking, async (call) => {
    const { tracking } = call.body;
    await updateSeoOptions(call, (stored) =>
      stored.tracking === tracking ? {} : { tracking, toggled_tracking: true },
    );
    return item(DONE);
  });
  serve(routes.saveConfigurationState, async (call) => {
    const configuration_finished_steps = call.body.finishedSteps.map(plainText);
    const isInitialDone = configuration_finished_steps.length === routes.FIRST_CONFIGURATION_STEPS;
    const first_time_install = isInitialDone ? false : undefined;
    await updateSeoOptions(call, { configuration_finished_steps, first_time_install });
    return item(DONE);
  });
  serve(routes.getConfigurationState, async (call) => {
    const { configuration_finished_steps } = await loadSeoOptions(call);
    return item({ ...DONE, data: configuration_finished_steps });
  });
}

type Representation = Call<typeof routes.setSiteRepresentation>;

type RepresentationFields = Omit<RouteBody<typeof routes.setSiteRepresentation>, 'description'>;

async function findInvalidFields({ context }: Representation, fields: RepresentationFields): Promise<string[]> {
  const addresses = (['company_logo', 'person_logo'] as const).filter((name) => {
    const address = fields[name] ?? '';
    return address !== '' && !isWebAddress(address);
  });
  const owner = fields.company_or_person_user_id ?? 0;
  if (owner === 0) return addresses;
  const [found] = await context.store.db.select({ id: user.id }).from(user).where(eq(user.id, owner)).limit(1);
  return found ? addresses : [...addresses, 'company_or_person_user_id'];
}

/** Saves the tagline, which is a site setting. */
async function saveTagline({ context }: Representation, description: string): Promise<void> {
  await retryTransaction(context.store.db, async (tx) => {
    const stored = (await lockOption(tx, SITE_OPTION)) as { description?: unknown };
    if (stored.description === description) return;
    await storeOption(tx, SITE_OPTION, { ...stored, description });
    await announce(tx, { what: 'settings', id: SITE_OPTION, action: 'updated' });
  });
}

const hasKeyphrases = async (scope: Pick<AnyCall, 'context' | 'requestMemo'>) =>
  (await loadSeoOptions(scope)).integrations.keyword_service;

const RULES: Readonly<Record<remote.RemoteRoute['rights'], RouteRules<RouteDeclaration>>> = {
  service: {},
  writers: writerRules,
  managers: managerRules,
  keyphrases: { ...requireRights('edit_posts', 'edit_pages'), isServed: hasKeyphrases },
  type: {
    /** Authorizes callers who can write content of this type. Unknown types are forbidden. */
    permit({ query, body, caller, context, refuse }) {
      const { post_type: type } = { ...query, ...body } as { post_type?: string };
      const kind = context.kinds.get(type ?? '');
      if (!kind || !can(caller, kind.rights.edit))
        throw refuse('rest_forbidden', 'You are not allowed to write content of this type.');
    },
  },
};

/**
 * Serves the routes of remote services. No service can be connected: parameters and rights are validated, and the
 * response reports the missing service.
 */
function serveRemote(registry: RouteRegistry): void {
  for (const route of remote.REMOTE_ROUTES)
    registry.serve<RouteDeclaration>(route, () => failure(route.status, route.answer), RULES[route.rights]);
  registry.with(writerRules)(remote.setTextConsent, ({ body }) =>
    body.consent
      ? failure(remote.UNSUPPORTED, remote.NO_TEXT_SERVICE)
      : item('Consent is revoked. No texts are sent anywhere.'),
  );
  registry.with({ ...managerRules, isServed: hasKeyphrases })(remote.setKeywordCountry, async (call) => {
    await updateSeoOptions(call, { keyword_service_country_code: call.body.country_code });
    return item(DONE);
  });
}
