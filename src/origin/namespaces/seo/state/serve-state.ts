import {
  ALERTS,
  dismissAlert,
  dismissNewPostType,
  dismissNewTaxonomy,
  dismissPlannerBanner,
  dismissSiteKit,
  getVideoPermission,
  importSettings,
  INTEGRATIONS,
  INTRODUCTIONS,
  markIntroduction,
  SETUP_STEPS,
  setIntegration,
  setVideoPermission,
  trackAction,
  TRACKED_ACTIONS,
  trackSetupSteps,
  type SetupStep,
} from '#contracts/seo/state.ts';
import {
  failure,
  item,
  type ResultOf,
  type ParameterCheck,
  type AnyCall,
  requireUser,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentKinds } from '#origin/platform/registry/content-kind.ts';
import { updateSeoOptions, loadSeoOptions } from '../options.ts';
import { managerRules, writerRules } from '../authorize.ts';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { lockObjectMeta } from '../object-settings.ts';
import { seoObjectSettings } from '../tables.ts';

/** Serves the stored state of hints, setup steps and first-time events. */
export function serveState(registry: RouteRegistry): void {
  serveUserState(registry);
  serveSiteState(registry);
  serveNewTypes(registry);
  serveImport(registry);
}

function serveUserState(registry: RouteRegistry): void {
  registry.serve(
    dismissAlert,
    async (call) => {
      const key = String(call.body.key);
      await updateUserState(call, ({ alerts }) => (alerts.includes(key) ? {} : { alerts: [...alerts, key] }));
      return item({ success: true, status: 200 });
    },
    { ...writerRules, checks: { key: isOneOf(ALERTS) } },
  );
  registry.serve(
    markIntroduction,
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
  registry.serve(
    getVideoPermission,
    async (call) => item({ json: { value: (await readUserState(call)).video_embed_permission } }),
    writerRules,
  );
  registry.serve(
    setVideoPermission,
    async (call) => {
      await updateUserState(call, () => ({ video_embed_permission: call.body.value }));
      return item({ json: { success: true } });
    },
    writerRules,
  );
  registry.serve(
    dismissPlannerBanner,
    async (call) => {
      await updateUserState(call, () => ({ planner_banner_dismissed: call.body.is_dismissed }));
      return item({ success: true });
    },
    writerRules,
  );
}

function serveSiteState(registry: RouteRegistry): void {
  registry.serve(
    dismissSiteKit,
    async (call) => {
      await updateSeoOptions(call, { site_kit_dismissed: call.body.is_dismissed });
      return item({ success: true });
    },
    managerRules,
  );
  registry.serve(
    trackSetupSteps,
    async (call) => {
      const { body, refuse } = call;
      const steps = Object.entries(SETUP_STEPS).flatMap(([name, bodyKey]) => {
        const value = body[name as SetupStep] ?? body[bodyKey];
        return value === undefined ? [] : [[name, value] as const];
      });
      if (steps.length === 0)
        throw refuse('seo_set_site_kit_usage_tracking', `Send one of ${Object.keys(SETUP_STEPS).join(', ')}.`);
      await updateSeoOptions(call, ({ site_kit_setup }) => ({
        site_kit_setup: { ...site_kit_setup, ...Object.fromEntries(steps) },
      }));
      return item({ success: true });
    },
    managerRules,
  );
  registry.serve(
    trackAction,
    async (call) => {
      const action = TRACKED_ACTIONS.find((name) => name === call.body.action);
      if (action === undefined) {
        const error = `Unknown action. Use one of ${TRACKED_ACTIONS.join(', ')}.`;
        return failure(400, { success: false, error });
      }
      await recordFirstTime(call, action);
      return item({ success: true, action });
    },
    managerRules,
  );
  registry.serve(
    setIntegration,
    async (call) => {
      const name = INTEGRATIONS.find((known) => known === call.body.integration);
      if (name === undefined) {
        const error = `Unknown integration. Use one of ${INTEGRATIONS.join(', ')}.`;
        return item({ json: { success: false, status: 500, error } });
      }
      const { active } = call.body;
      await updateSeoOptions(call, ({ integrations }) => ({ integrations: { ...integrations, [name]: active } }));
      return item({ json: { success: true, status: 200 } });
    },
    managerRules,
  );
}

/** Records the time of an action, unless it was recorded before. */
export async function recordFirstTime(
  call: Parameters<typeof updateSeoOptions>[0],
  action: (typeof TRACKED_ACTIONS)[number],
): Promise<void> {
  if ((await loadSeoOptions(call)).first_times[action] !== undefined) return;
  const now = new Date().toISOString();
  await updateSeoOptions(call, ({ first_times }) => ({ first_times: { [action]: now, ...first_times } }));
}

function createDismissResponse(name: unknown): ResultOf<typeof dismissNewPostType> {
  if (name !== undefined) return item({ message: 'The type is no longer shown as new.', success: true, status: 200 });
  return failure(400, { message: 'Missing name: send the name of the type to dismiss.', success: false, status: 400 });
}

/** Serves dismissals of new types. Content types and taxonomies come with modules, so that none is ever new. */
function serveNewTypes(registry: RouteRegistry): void {
  const isType = isKnown((kinds) => [...kinds.keys()]);
  const isTaxonomy = isKnown((kinds) =>
    [...kinds.values()].flatMap(({ terms }) => terms.map(({ taxonomy }) => taxonomy)),
  );
  registry.serve(dismissNewPostType, ({ body }) => createDismissResponse(body.postTypeName ?? body.post_type_name), {
    ...writerRules,
    checks: { postTypeName: isType, post_type_name: isType },
  });
  registry.serve(dismissNewTaxonomy, ({ body }) => createDismissResponse(body.taxonomyName ?? body.taxonomy_name), {
    ...writerRules,
    checks: { taxonomyName: isTaxonomy, taxonomy_name: isTaxonomy },
  });
}

function isIntroduction(id: string): boolean {
  return INTRODUCTIONS.some((known) => known === id);
}

function isOneOf(known: readonly string[]): ParameterCheck {
  return (sent) => (known.some((name) => name === sent) ? undefined : { text: `Use one of ${known.join(', ')}.` });
}

function isKnown(names: (kinds: ContentKinds) => readonly string[]): ParameterCheck {
  return (sent, { context, ...scope }) => isOneOf(names(context.kinds))(sent, { context, ...scope });
}

/** Importable settings by plugin, as defined by the API. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  aioseo: [
    'validate_data',
    'posts',
    'posttype_default_settings',
    'default_archive_settings',
    'custom_archive_settings',
    'general_settings',
    'taxonomy_settings',
    'cleanup',
  ],
  'conflicting-plugins': ['deactivation'],
};

/** Serves imports from other plugins. None shares the store with the origin, so there is never anything to import. */
function serveImport(registry: RouteRegistry): void {
  registry.serve(
    importSettings,
    ({ params: { plugin, type }, refuse }) => {
      const isKnownPart = Object.hasOwn(IMPORTS, plugin) && IMPORTS[plugin]?.includes(type);
      if (!isKnownPart) throw refuse('rest_no_route', `Unknown import "${type}" of "${plugin}".`);
      return item({ objects: plugin === 'aioseo' ? false : [], next_url: false });
    },
    managerRules,
  );
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
  const [row] = await context.store.db
    .select()
    .from(seoObjectSettings)
    .where(isStateOfUser(requireUser(caller).id))
    .limit(1);
  return parseState(row?.meta);
}

/** Changes the state of the caller. `change` receives the stored state. */
async function updateUserState(
  { context, caller }: AnyCall,
  change: (stored: UserState) => Partial<UserState>,
): Promise<void> {
  const { id } = requireUser(caller);
  await retryTransaction(context.store.db, async (tx) => {
    const lockedMeta = await lockObjectMeta(tx, 'user', id);
    const stored = parseState(lockedMeta);
    const meta = { ...lockedMeta, [KEY]: JSON.stringify({ ...stored, ...change(stored) }) };
    await tx.update(seoObjectSettings).set({ meta }).where(isStateOfUser(id));
  });
}

function isStateOfUser(id: number) {
  return and(eq(seoObjectSettings.type, 'user'), eq(seoObjectSettings.objectId, id));
}

function parseState(meta: Readonly<Record<string, string>> | undefined): UserState {
  try {
    return userState.parse(JSON.parse(meta?.[KEY] ?? '{}'));
  } catch {
    return userState.parse({});
  }
}
