import type { MiddlewareHandler } from 'hono';
import { SortimentError } from '#contracts/index.ts';
import type { Ability } from '#origin/platform/abilities/ability.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { AnyCall, RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { CONTENT_ACTIONS, type ContentKind } from '#origin/platform/registry/content-kind.ts';
import type { ServedKind } from '#origin/platform/content/serve-content.ts';
import type { Links } from '#origin/platform/content/link-row.ts';
import { registerAll, type Registration } from '#origin/platform/registry/permissions.ts';

/**
 * Everything the origin knows of a part of it that serves routes. The list of them (`server/modules.ts`) is the only
 * place that names one: routes, permissions, tables, documents and background work derive from it.
 */
export interface NamespaceModule extends Registration {
  /** Those with routes are served by the platform. */
  contentKinds?: readonly (ContentKind | ServedKind)[];
  /** Tells it from others: `core`. */
  name: string;
  /** What it is for, in the reference of the routes. */
  description: string;
  /** Neutral names of the namespaces that its routes lie in: `core/v2`. */
  namespaces: readonly string[];
  /**
   * Serves the routes beside those of its kinds of content.
   *
   * @param modules All that are served beside it, itself among them.
   */
  serve(registry: RouteRegistry, modules: readonly NamespaceModule[]): void;
  /**
   * Folder of the migrations that lead to its own tables, as drizzle-kit writes them. Those of the platform are there
   * before. `npx drizzle-kit generate --dialect postgresql --schema <folder>/table.ts --out <folder>/migrations`
   */
  migrations?: string;
  /**
   * Tables that no answer shows but those of routes that aren't kept (`isKept: false`), such as those of counters: writing
   * to them leaves all answers that are kept as they are.
   */
  unshownTables?: readonly string[];
  /** Further records whose changes are sent to webhook receivers, beside its content kinds: `what` of an event, and its meaning. */
  events?: Readonly<Record<string, string>>;
  /** What it can do for a program. */
  abilities?: readonly Ability[];
  /** Routes that can answer in another form than JSON, by their neutral path. */
  forms?: Readonly<Record<string, Form>>;
  /** Answers requests for pages of the site, or hands them on. */
  pages?(context: OriginContext): MiddlewareHandler;
  /** Relations that the index of the site lists. */
  siteLinks?(call: AnyCall): Promise<Links>;
  /** Begins what goes on beside requests, before the first of them is answered. */
  start?(context: OriginContext): Promise<BackgroundWork>;
}

/** An answer in JSON as what the route sends instead. */
export type Form = (response: Response, request: Request) => Response | Promise<Response>;

export interface BackgroundWork {
  /** Ends it; what is under way is waited for. */
  stop(): Promise<void>;
}

/** Names of modules and of kinds become names of tables and words of addresses. */
const NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/**
 * Looks at what modules register before anything of it is used.
 *
 * @throws {SortimentError} MODULE_INVALID if two of them have one name, or a permission is needed that no role has
 */
export function checkModules(modules: readonly NamespaceModule[]): void {
  const refuse = (module: NamespaceModule, problem: string) =>
    new SortimentError('MODULE_INVALID', `The module "${module.name}" can't be served: ${problem}.`, {
      hint: 'Change what the module registers.',
    });
  const { rights } = registerAll(modules).permissions.administrator;
  const owners = new Map<string, NamespaceModule>();
  const claim = (what: string, name: string, module: NamespaceModule) => {
    if (!NAME.test(name)) throw refuse(module, `${what} has to be made of a-z, 0-9, _ and -, and is "${name}"`);
    const other = owners.get(`${what} ${name}`);
    if (other) throw refuse(module, `${what} "${name}" is that of "${other.name}" already`);
    owners.set(`${what} ${name}`, module);
  };
  for (const module of modules) {
    claim('its name', module.name, module);
    for (const kind of module.contentKinds ?? []) {
      claim('the type of its content', kind.type, module);
      const missing = CONTENT_ACTIONS.map((action) => kind.rights[action]).find((right) => !rights.has(right));
      if (missing !== undefined)
        throw refuse(module, `its ${kind.type} needs the right "${missing}", which no role has`);
    }
  }
}
