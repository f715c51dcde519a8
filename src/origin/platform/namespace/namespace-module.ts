import type { MiddlewareHandler } from 'hono';
import type { Ability } from '#origin/platform/abilities/ability.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { AnyCall, RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import type { ServedKind } from '#origin/platform/content/serve-content.ts';
import type { Links } from '#origin/platform/content/link-row.ts';
import type { Registration } from '#origin/platform/registry/permissions.ts';

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
  /** Folder of the migrations that lead to its own tables, as drizzle-kit writes them. Those of the platform are there before. */
  migrations?: string;
  /** What of its records receivers of webhooks are told of, beside its kinds of content: `what` of an event, and its meaning. */
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
