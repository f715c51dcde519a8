import { z } from 'zod';
import { sql } from 'drizzle-orm';
import * as routes from '#contracts/abilities.ts';
import { type RouteQuery, parseValue } from '#contracts/index.ts';
import {
  type Ability,
  defineAbility,
  getAbilityMethod,
  pickFields,
  fieldsInput,
} from '#origin/platform/abilities/ability.ts';
import { toProfile } from '#origin/platform/accounts/users.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import {
  collection,
  item,
  type AnyCall,
  type Call,
  requireRight,
  requireUser,
  presentFields,
} from '#origin/platform/http/transport/call.ts';
import { errorFactory } from '#origin/platform/http/transport/rest-error.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { loadSite, replaceSiteUrl, presentSiteSettings } from '#origin/platform/site/load-site.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { user } from '#origin/platform/store/schema.ts';
import type { Context } from '#contracts/core/field.ts';
import { describeParameter } from '#origin/platform/http/transport/describe-parameter.ts';

/** Version of the publishing interface, which clients use to detect features. */
const INTERFACE_VERSION = '7.1';

const getUserInfo = defineAbility({
  name: 'core/get-user-info',
  label: 'Get User Information',
  description: 'Returns the profile of the caller, optionally limited to the given fields.',
  category: 'user',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: fieldsInput(routes.userInfo),
  output: routes.userInfo,
  mayRun: ({ user }) => user !== undefined,
  async run({ fields }, call) {
    const row = requireUser(call.caller);
    const { url: storedUrl } = await loadSite(call);
    const { id, name, slug, login, role, description, url } = row;
    const { locale, ...profile } = toProfile(row);
    const info = {
      id,
      display_name: name,
      user_nicename: slug,
      user_login: login,
      roles: [role],
      locale,
      ...profile,
      description,
      user_url: replaceSiteUrl(url, storedUrl, call.addresses.site),
    };
    return pickFields(info, fields);
  },
});

const getSiteInfo = defineAbility({
  name: 'core/get-site-info',
  label: 'Get Site Information',
  description: 'Returns the name and URLs of the site, optionally limited to the given fields.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: fieldsInput(routes.siteInfo),
  output: routes.siteInfo,
  mayRun: (caller) => can(caller, 'manage_options'),
  async run({ fields }, call) {
    const { title, description, url, email, language } = await presentSiteSettings(call);
    const info = {
      name: title,
      description,
      url,
      wpurl: url,
      admin_email: email,
      charset: 'UTF-8',
      language: language.replace('_', '-'),
      version: INTERFACE_VERSION,
    };
    return pickFields(info, fields);
  },
});

const getEnvironmentInfo = defineAbility({
  name: 'core/get-environment-info',
  label: 'Get Environment Info',
  description: 'Returns the runtime environment of the origin, optionally limited to the given fields.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: fieldsInput(routes.environmentInfo),
  output: routes.environmentInfo,
  mayRun: (caller) => can(caller, 'manage_options'),
  async run({ fields }, { context: { store } }) {
    const [row] = await store.db
      .select({ version: sql<string>`version()` })
      .from(user)
      .limit(1);
    const info = {
      environment: routes.environmentInfo.shape.environment.catch('production').parse(process.env['NODE_ENV']),
      php_version: `Node.js ${process.versions.node}`,
      db_server_info: `${row?.version ?? ''}${store.engine === 'pglite' ? ' (PGlite)' : ''}`,
      wp_version: INTERFACE_VERSION,
    };
    return pickFields(info, fields);
  },
});

const announceChange = defineAbility({
  name: 'sortiment/announce-change',
  label: 'Announce Change',
  description: 'Notifies build hooks of a change, so that catalogues sync immediately.',
  category: 'site',
  annotations: { readonly: false, destructive: false, idempotent: false },
  input: z
    .strictObject({ what: z.string().min(1).max(60).default('site').describe('Changed object') })
    .default({ what: 'site' }),
  output: z.object({ announced: z.literal(true) }),
  isAvailable: ({ hasReceivers = false }) => hasReceivers,
  mayRun: (caller) => can(caller, 'manage_options'),
  async run({ what }, { context }) {
    await retryTransaction(context.store.db, (tx) => announce(tx, { what, id: 'all', action: 'updated' }));
    return { announced: true };
  },
});

const ABILITY_CATEGORIES = [
  { slug: 'site', label: 'Site', description: 'Site information, content and notifications.' },
  { slug: 'user', label: 'User', description: 'Information about the caller.' },
] as const;

function serveAbilities(registry: RouteRegistry, modules: readonly NamespaceModule[]): void {
  const permit = requireRight('read', 'rest_forbidden', 'You must be signed in to use abilities.');
  const serve = registry.with({ permit });
  // Includes abilities that may be unavailable.
  const others = modules.flatMap(({ abilities: entries = [] }) => entries);
  const known = [getSiteInfo, getUserInfo, getEnvironmentInfo, ...others, announceChange];
  serve(routes.listAbilityCategories, (call) => {
    const { page, per_page: perPage, context } = call.query;
    const shown = ABILITY_CATEGORIES.slice((page - 1) * perPage, page * perPage);
    const rows = shown.map((category) => presentAbilityCategory(category, call, context));
    return collection(rows, ABILITY_CATEGORIES.length, { page, perPage });
  });
  serve(routes.getAbilityCategory, (call) => {
    const found = ABILITY_CATEGORIES.find(({ slug }) => slug === call.params.slug);
    if (!found) throw call.refuse('rest_ability_category_not_found', 'Ability category not found.');
    return item(presentAbilityCategory(found, call, 'view'));
  });
  // Responses of abilities are not cached, because their reads are not tracked.
  registry.serve(
    routes.runAbility,
    async (call) => {
      const ability = await findAbility(call, known);
      const abilityCall = { ...call, refuse: errorFactory(ability.errors, call.caller) };
      return item(await ability.run(parseAbilityInput(ability, call), abilityCall));
    },
    {
      isKept: false,
      async permit(call) {
        const ability = await findAbility(call, known);
        const method = getAbilityMethod(ability);
        if (method !== call.method)
          throw call.refuse(
            'rest_ability_invalid_method',
            `The ability "${ability.name}" requires the ${method} method.`,
          );
        parseAbilityInput(ability, call);
        if (!ability.mayRun(call.caller))
          throw call.refuse('rest_ability_cannot_execute', 'You are not allowed to run this ability.');
      },
    },
  );
  serve(routes.listAbilities, async (call) => {
    const { page, per_page: perPage, context } = call.query;
    const found = filterAbilities(await findAbilities(known, call.context), call.query);
    const shown = found.slice((page - 1) * perPage, page * perPage);
    const rows = shown.map((ability) => presentAbility(ability, call, context));
    return collection(rows, found.length, { page, perPage });
  });
  serve(routes.getAbility, async (call) => item(presentAbility(await findAbility(call, known), call, 'view')));
}

/** The `abilities/v1` namespace, with the abilities of all modules. */
export const abilities: NamespaceModule = {
  name: 'abilities',
  description: 'Abilities of the origin, described for discovery and use by programs.',
  namespaces: ['abilities/v1'],
  serve: serveAbilities,
};

function filterAbilities(
  abilities: readonly Ability[],
  { category, namespace, meta = {} }: RouteQuery<typeof routes.listAbilities>,
): Ability[] {
  return abilities.filter(
    (ability) =>
      (category === undefined || ability.category === category) &&
      (namespace === undefined || ability.name.startsWith(`${namespace}/`)) &&
      matches(abilityMeta(ability), meta),
  );
}

/** True if `values` contains all of `expected`. Scalars are compared as strings, because query parameters are strings. */
function matches(values: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return String(values) === String(expected);
  if (typeof values !== 'object' || values === null) return false;
  const entries = new Map(Object.entries(values));
  return Object.entries(expected).every(([key, value]) => value === undefined || matches(entries.get(key), value));
}

/** Parses the input of an ability. @throws RestError that lists all problems */
function parseAbilityInput({ name, input }: Ability, { query, refuse }: Call<typeof routes.runAbility>): unknown {
  const { input: sent } = query;
  const parsed = parseValue(input, sent === null || sent === '' ? undefined : sent);
  if (parsed.ok) return parsed.value;
  const problems = parsed.problems.map(({ field, problem }) => `${field || 'input'} ${problem}`).join('; ');
  throw refuse('ability_invalid_input', `Invalid input for "${name}": ${problems}.`);
}

/** Finds the ability in the path. @throws RestError if it is unknown or unavailable */
async function findAbility(
  { params, context, refuse }: AnyCall<'rest_ability_not_found'> & { params: { name: string } },
  abilities: readonly Ability[],
): Promise<Ability> {
  const found = (await findAbilities(abilities, context)).find(({ name }) => name === params.name);
  if (!found) throw refuse('rest_ability_not_found', 'Ability not found.');
  return found;
}

/** Filters the abilities that are currently available. For example, product abilities require products. */
async function findAbilities(abilities: readonly Ability[], context: OriginContext): Promise<Ability[]> {
  const available = await Promise.all(abilities.map((ability) => ability.isAvailable?.(context) ?? true));
  return abilities.filter((_, index) => available[index]);
}

/** Converts an ability to JSON. */
function presentAbility(ability: Ability, call: AnyCall, context: Context) {
  const base = call.addresses.rest(routes.listAbilities.path);
  const self = `${base}/${ability.name}`;
  return presentFields(
    routes.ability,
    {
      ...ability,
      input_schema: describeInput(ability.input),
      output_schema: { ...describeParameter(ability.output) },
      meta: abilityMeta(ability),
      _links: () => ({
        self: [{ href: self, targetHints: { allow: ['GET'] } }],
        collection: [{ href: base }],
        'wp:action-run': [{ href: `${self}/run` }],
      }),
    },
    { context, call },
  );
}

/** Converts an ability category to JSON. */
function presentAbilityCategory(category: (typeof ABILITY_CATEGORIES)[number], call: AnyCall, context: Context) {
  const base = call.addresses.rest(routes.listAbilityCategories.path);
  return presentFields(
    routes.abilityCategory,
    {
      ...category,
      meta: [] as [],
      _links: () => ({
        self: [{ href: `${base}/${category.slug}`, targetHints: { allow: ['GET'] } }],
        collection: [{ href: base }],
        abilities: [{ href: `${call.addresses.rest(routes.listAbilities.path)}?category=${category.slug}` }],
      }),
    },
    { context, call },
  );
}

function abilityMeta({ annotations }: Ability) {
  return { annotations, public: true, show_in_rest: true };
}

/** Describes the input as JSON schema, including its default. */
function describeInput(input: z.ZodType): Record<string, unknown> {
  if (!(input instanceof z.ZodDefault)) return { ...describeParameter(input) };
  return { ...describeParameter(input.unwrap() as z.ZodType), default: input.parse(undefined) };
}
