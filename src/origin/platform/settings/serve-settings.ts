import { eq } from 'drizzle-orm';
import type { SettingsRoutes } from '#contracts/core/index.ts';
import type { RouteAnswer, RouteBody } from '#contracts/index.ts';
import { announce } from '#origin/platform/events/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, type AnswerOf, type AnyCall, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { Right } from '#origin/platform/registry/rights.ts';
import { lockOption, retryTransaction, storeOption, type Transaction } from '#origin/platform/store/index.ts';
import { option } from '#origin/platform/store/schema.ts';

/** Settings that are stored, read and changed together. */
export interface SettingsGroup<R extends SettingsRoutes = SettingsRoutes> {
  routes: R;
  /** Under which they are stored and announced. */
  name: string;
  /** Who may see and change them. */
  right: Right;
  /** What is stored of what was sent, checked against what else is stored. @default what was sent */
  toStored?(sent: RouteBody<R['update']>, tx: Transaction): object | Promise<object>;
  /** All of them, as they are now. @default what is stored, with the defaults of the response's fields */
  show?(call: AnyCall): Promise<RouteAnswer<R['get']>>;
}

/** Serves the two routes of a group of settings. */
export function serveSettings(registry: RouteRegistry, group: SettingsGroup): void {
  const { routes, name, right } = group;
  const permit = ({ caller, refuse }: AnyCall) => {
    if (!can(caller, right)) throw refuse('rest_forbidden', 'These settings are for who manages the site.');
  };
  const show = async (call: AnyCall): Promise<AnswerOf<SettingsRoutes['get']>> =>
    item(await (group.show?.(call) ?? readStored(call, group)));
  registry.serve(routes.get, show, { permit });
  registry.serve(
    routes.update,
    async (call) => {
      await change(call, call.body, group);
      call.requestMemo.forget(name);
      return show(call);
    },
    { permit },
  );
}

async function readStored({ context }: AnyCall, { name, routes }: SettingsGroup) {
  const [stored] = await context.store.db.select().from(option).where(eq(option.name, name)).limit(1);
  return routes.get.response.parse(stored?.value ?? {});
}

/** What was not sent stays as it is. */
async function change(
  { context }: AnyCall,
  sent: RouteBody<SettingsRoutes['update']>,
  { name, toStored }: SettingsGroup,
): Promise<void> {
  if (Object.values(sent).every((value) => value === undefined)) return;
  await retryTransaction(context.store.db, async (tx) => {
    const changed = (await toStored?.(sent, tx)) ?? sent;
    const stored = await lockOption(tx, name);
    await storeOption(tx, name, { ...(stored as object), ...changed });
    await announce(tx, { what: 'settings', id: name, action: 'updated' });
  });
}
