import { z } from 'zod';
import { sql } from 'drizzle-orm';
import {
  getAbility,
  getAbilityCategory,
  listAbilities,
  listAbilityCategories,
  runAbility,
  environmentInfo,
  siteInfo,
  userInfo,
} from '#contracts/abilities.ts';
import { type RouteQuery, parseValue } from '#contracts/index.ts';
import { type Ability, defineAbility, getAbilityMethod } from '#origin/platform/abilities/ability.ts';
import { pickFields, fieldsInput } from '#origin/platform/abilities/pick-fields.ts';
import { toProfile } from '#origin/platform/accounts/users.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announce } from '#origin/platform/events/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import {
  collection,
  item,
  errorFactory,
  type AnyCall,
  type RouteRegistry,
  type Call,
} from '#origin/platform/http/transport/index.ts';
import { requireUser } from '#origin/platform/http/transport/require-user.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { loadSite, replaceSiteUrl } from '#origin/platform/site/index.ts';
import { presentSiteSettings } from '#origin/platform/site/load-site.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { user } from '#origin/platform/store/schema.ts';
import { presentAbility, presentCategory, metaOf } from './present-ability.ts';

/** Version of the publishing interface: clients look at it for what they may expect. */
const INTERFACE_VERSION = '7.1';

const getUserInfo = defineAbility({
  name: 'core/get-user-info',
  label: 'Get User Information',
  description: 'Tells who the caller is: all of it, or the fields that are named.',
  category: 'user',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: fieldsInput(userInfo),
  output: userInfo,
  mayRun: ({ user }) => user !== undefined,
  async run({ fields }, call) {
    const row = requireUser(call.caller);
    const { url: storedUnder } = await loadSite(call);
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
      user_url: replaceSiteUrl(url, storedUnder, call.addresses.site),
    };
    return pickFields(info, fields);
  },
});

const getSiteInfo = defineAbility({
  name: 'core/get-site-info',
  label: 'Get Site Information',
  description: 'Tells what the site is called and where it is reached: all of it, or the fields that are named.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: fieldsInput(siteInfo),
  output: siteInfo,
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
  description: 'Tells what the origin runs on: all of it, or the fields that are named.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: fieldsInput(environmentInfo),
  output: environmentInfo,
  mayRun: (caller) => can(caller, 'manage_options'),
  async run({ fields }, { context: { store } }) {
    const [row] = await store.db
      .select({ version: sql<string>`version()` })
      .from(user)
      .limit(1);
    const info = {
      environment: environmentInfo.shape.environment.catch('production').parse(process.env['NODE_ENV']),
      php_version: `Node.js ${process.versions.node}`,
      db_server_info: `${row?.version ?? ''}${store.engine === 'pglite' ? ' (PGlite)' : ''}`,
      wp_version: INTERFACE_VERSION,
    };
    return pickFields(info, fields);
  },
});

/** An ability is run by its own method, with what fits it, and by who may. */
const permitRun =
  (abilities: readonly Ability[]) =>
  async (call: RunCall): Promise<void> => {
    const ability = await findAbility(call, abilities);
    const method = getAbilityMethod(ability);
    if (method !== call.method)
      throw call.refuse('rest_ability_invalid_method', `The ability "${ability.name}" is run by ${method}.`);
    readInput(ability, call);
    if (!ability.mayRun(call.caller))
      throw call.refuse('rest_ability_cannot_execute', 'You may not have this ability run.');
  };

const announceChange = defineAbility({
  name: 'sortiment/announce-change',
  label: 'Announce Change',
  description: 'Tells build hooks that something has changed, so that catalogues sync now.',
  category: 'site',
  annotations: { readonly: false, destructive: false, idempotent: false },
  input: z
    .strictObject({ what: z.string().min(1).max(60).default('site').meta({ description: 'What has changed' }) })
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
  { slug: 'site', label: 'Site', description: 'What the site is and holds, and telling others of it.' },
  { slug: 'user', label: 'User', description: 'Who the caller is.' },
] as const;

/** @param others What other parts of the origin can do for a program. */
function serveAbilities(registry: RouteRegistry, others: readonly Ability[]): void {
  const known = allAbilities(others);
  registry.serve(
    listAbilityCategories,
    (call) => {
      const { page, per_page: perPage, context } = call.query;
      const shown = ABILITY_CATEGORIES.slice((page - 1) * perPage, page * perPage);
      const rows = shown.map((category) => presentCategory(category, call, context));
      return collection(rows, ABILITY_CATEGORIES.length, { page, perPage });
    },
    { permit },
  );
  registry.serve(
    getAbilityCategory,
    (call) => {
      const found = ABILITY_CATEGORIES.find(({ slug }) => slug === call.params.slug);
      if (!found) throw call.refuse('rest_ability_category_not_found', 'There is no such category.');
      return item(presentCategory(found, call, 'view'));
    },
    { permit },
  );
  registry.serve(
    runAbility,
    async (call) => {
      const ability = await findAbility(call, known);
      const own = { ...call, refuse: errorFactory(ability.errors, call.caller) };
      return item(await ability.run(readInput(ability, call), own));
    },
    // What an ability reads is its own matter.
    { permit: permitRun(known), isKept: false },
  );
  registry.serve(
    listAbilities,
    async (call) => {
      const { page, per_page: perPage, context } = call.query;
      const found = filterAbilities(await findAbilities(known, call.context), call.query);
      const shown = found.slice((page - 1) * perPage, page * perPage);
      const rows = shown.map((ability) => presentAbility(ability, call, context));
      return collection(rows, found.length, { page, perPage });
    },
    { permit },
  );
  registry.serve(getAbility, async (call) => item(presentAbility(await findAbility(call, known), call, 'view')), {
    permit,
  });
}

function permit({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'read')) throw refuse('rest_forbidden', 'Abilities are for who signed in.');
}

/** The `abilities/v1` namespace: also what the other modules can do. */
export const abilities: NamespaceModule = {
  name: 'abilities',
  description: 'What the origin can do for a program, described so that a program can find it and run it.',
  namespaces: ['abilities/v1'],
  serve: (registry, modules) =>
    serveAbilities(
      registry,
      modules.flatMap(({ abilities: own = [] }) => own),
    ),
};

/**
 * Everything an origin can do for a program, where it has what is needed for it.
 *
 * @param others What parts of it beside this namespace can do.
 */
function allAbilities(others: readonly Ability[]): readonly Ability[] {
  return [getSiteInfo, getUserInfo, getEnvironmentInfo, ...others, announceChange];
}

type Wanted = Pick<RouteQuery<typeof listAbilities>, 'category' | 'namespace' | 'meta'>;

/** The abilities of a category and a namespace that say of themselves what is asked for. */
function filterAbilities(abilities: readonly Ability[], { category, namespace, meta }: Wanted): Ability[] {
  return abilities.filter(
    (ability) =>
      (category === undefined || ability.category === category) &&
      (namespace === undefined || ability.name.startsWith(`${namespace}/`)) &&
      holds(metaOf(ability), meta ?? {}),
  );
}

/** Whether everything wanted is there; texts stand for what they spell. */
function holds(values: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return String(values) === String(wanted);
  if (typeof values !== 'object' || values === null) return false;
  const known = new Map(Object.entries(values));
  return Object.entries(wanted).every(([key, value]) => value === undefined || holds(known.get(key), value));
}

type RunCall = Call<typeof runAbility>;

/** What goes into an ability. @throws a refusal that names everything wrong with it */
export function readInput({ name, input }: Ability, { query, refuse }: RunCall): unknown {
  const { input: sent } = query;
  const read = parseValue(input, sent === null || sent === '' ? undefined : sent);
  if (read.ok) return read.value;
  const wrong = read.problems.map(({ field, problem }) => `${field || 'input'} ${problem}`).join('; ');
  throw refuse('ability_invalid_input', `What goes into "${name}" is not right: ${wrong}.`);
}

/** The ability that a call names. @throws when no ability that this origin has is called so */
async function findAbility(
  { params, context, refuse }: AnyCall<'rest_ability_not_found'> & { params: { name: string } },
  abilities: readonly Ability[],
): Promise<Ability> {
  const found = (await findAbilities(abilities, context)).find(({ name }) => name === params.name);
  if (!found) throw refuse('rest_ability_not_found', 'There is no such ability.');
  return found;
}

/** Which of the abilities this origin has now: no product is offered where there is none, and nobody is told where nobody listens. */
async function findAbilities(abilities: readonly Ability[], context: OriginContext): Promise<Ability[]> {
  const available = await Promise.all(abilities.map((ability) => ability.isAvailable?.(context) ?? true));
  return abilities.filter((_, index) => available[index]);
}
