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
} from '#contracts/seo/index.ts';
import {
  failure,
  item,
  type AnswerOf,
  type ParameterCheck,
  type RouteRegistry,
} from '#origin/platform/http/transport/index.ts';
import type { ContentKinds } from '#origin/platform/registry/content-kind.ts';
import { changeSeoOptions, loadSeoOptions } from '../options.ts';
import { forManagers, forWriters } from '../permit.ts';
import { changeUserState, readUserState } from './user-state.ts';

/** Serves what users and the site remember of hints, setups and first times. */
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
      await changeUserState(call, ({ alerts }) => (alerts.includes(key) ? {} : { alerts: [...alerts, key] }));
      return item({ success: true, status: 200 });
    },
    { ...forWriters, checks: { key: isOneOf(ALERTS) } },
  );
  registry.serve(
    markIntroduction,
    async (call) => {
      const { introduction_id: id } = call.params;
      if (!isIntroduction(id)) return failure(400, []);
      const { is_seen } = call.body;
      const seen_on = is_seen ? Math.floor(Date.now() / 1000) : 0;
      await changeUserState(call, ({ introductions }) => ({
        introductions: { ...introductions, [id]: { is_seen, seen_on } },
      }));
      return item({ json: { success: true } });
    },
    // An unknown hint is refused whatever is said of it.
    {
      ...forWriters,
      checks: {
        is_seen: (_, { sent }) => (isIntroduction(String(sent('introduction_id'))) ? undefined : { accepted: true }),
      },
    },
  );
  registry.serve(
    getVideoPermission,
    async (call) => item({ json: { value: (await readUserState(call)).video_embed_permission } }),
    forWriters,
  );
  registry.serve(
    setVideoPermission,
    async (call) => {
      await changeUserState(call, () => ({ video_embed_permission: call.body.value }));
      return item({ json: { success: true } });
    },
    forWriters,
  );
  registry.serve(
    dismissPlannerBanner,
    async (call) => {
      await changeUserState(call, () => ({ planner_banner_dismissed: call.body.is_dismissed }));
      return item({ success: true });
    },
    forWriters,
  );
}

function serveSiteState(registry: RouteRegistry): void {
  registry.serve(
    dismissSiteKit,
    async (call) => {
      await changeSeoOptions(call, { site_kit_dismissed: call.body.is_dismissed });
      return item({ success: true });
    },
    forManagers,
  );
  registry.serve(
    trackSetupSteps,
    async (call) => {
      const { body, refuse } = call;
      const steps = Object.entries(SETUP_STEPS).flatMap(([name, asSent]) => {
        const said = body[name as SetupStep] ?? body[asSent];
        return said === undefined ? [] : [[name, said] as const];
      });
      if (steps.length === 0)
        throw refuse('seo_set_site_kit_usage_tracking', `Send one of ${Object.keys(SETUP_STEPS).join(', ')}.`);
      await changeSeoOptions(call, ({ site_kit_setup }) => ({
        site_kit_setup: { ...site_kit_setup, ...Object.fromEntries(steps) },
      }));
      return item({ success: true });
    },
    forManagers,
  );
  registry.serve(
    trackAction,
    async (call) => {
      const action = TRACKED_ACTIONS.find((name) => name === call.body.action);
      if (action === undefined) {
        const error = `There is no such action. Use one of ${TRACKED_ACTIONS.join(', ')}.`;
        return failure(400, { success: false, error });
      }
      await recordFirstTime(call, action);
      return item({ success: true, action });
    },
    forManagers,
  );
  registry.serve(
    setIntegration,
    async (call) => {
      const name = INTEGRATIONS.find((known) => known === call.body.integration);
      if (name === undefined) {
        const error = `There is no such integration. Use one of ${INTEGRATIONS.join(', ')}.`;
        return item({ json: { success: false, status: 500, error } });
      }
      const { active } = call.body;
      await changeSeoOptions(call, ({ integrations }) => ({ integrations: { ...integrations, [name]: active } }));
      return item({ json: { success: true, status: 200 } });
    },
    forManagers,
  );
}

/** Records when something was done first; later times change nothing. */
export async function recordFirstTime(
  call: Parameters<typeof changeSeoOptions>[0],
  action: (typeof TRACKED_ACTIONS)[number],
): Promise<void> {
  if ((await loadSeoOptions(call)).first_times[action] !== undefined) return;
  const now = new Date().toISOString();
  await changeSeoOptions(call, ({ first_times }) => ({ first_times: { [action]: now, ...first_times } }));
}

function answerDismissed(name: unknown): AnswerOf<typeof dismissNewPostType> {
  if (name !== undefined) return item({ message: 'It is not shown as new.', success: true, status: 200 });
  return failure(400, { message: 'Name what is not to be shown as new.', success: false, status: 400 });
}

/** Types of content and taxonomies are part of a module: none of them is ever new to its editors. */
function serveNewTypes(registry: RouteRegistry): void {
  const isType = isKnown((kinds) => [...kinds.keys()]);
  const isTaxonomy = isKnown((kinds) => [...kinds.values()].flatMap(({ terms }) => terms.map((of) => of.taxonomy)));
  registry.serve(dismissNewPostType, ({ body }) => answerDismissed(body.postTypeName ?? body.post_type_name), {
    ...forWriters,
    checks: { postTypeName: isType, post_type_name: isType },
  });
  registry.serve(dismissNewTaxonomy, ({ body }) => answerDismissed(body.taxonomyName ?? body.taxonomy_name), {
    ...forWriters,
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

/** Parts of settings that programs known to the interface leave behind. */
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

/** No other program shares the store with the origin, so that nothing is ever left to be imported. */
function serveImport(registry: RouteRegistry): void {
  registry.serve(
    importSettings,
    ({ params: { plugin, type }, refuse }) => {
      const isKnownPart = Object.hasOwn(IMPORTS, plugin) && IMPORTS[plugin]?.includes(type);
      if (!isKnownPart)
        throw refuse('rest_no_route', `There are no settings of "${plugin}" called "${type}" to import.`);
      return item({ objects: plugin === 'aioseo' ? false : [], next_url: false });
    },
    forManagers,
  );
}
