import type { SettingsRoutes } from '#contracts/core/site-resources.ts';
import type { RouteResponseInput, RouteBody } from '#contracts/index.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { item, requireRight, type ResultOf, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { Right } from '#origin/platform/registry/rights.ts';
import { lockOption, readOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/query-errors.ts';

/** Settings that are stored, read and changed together. */
export interface SettingsGroup<R extends SettingsRoutes = SettingsRoutes> {
  routes: R;
  /** Key in the store, and ID in events. */
  name: string;
  /** Right to read and change them. */
  right: Right;
  /** Converts the changes for the store, validated against other stored data. @default the changes */
  toStored?(sent: RouteBody<R['update']>, tx: Transaction): object | Promise<object>;
  /** Loads all current values. @default the stored values, with the defaults of the response schema */
  show?(call: AnyCall): Promise<RouteResponseInput<R['get']>>;
}

/** Serves the get and update routes of a group of settings. */
export function serveSettings(registry: RouteRegistry, group: SettingsGroup): void {
  const { routes, right } = group;
  const permit = requireRight(right, 'rest_forbidden', 'You are not allowed to manage these settings.');
  const getSettings = async (call: AnyCall): Promise<ResultOf<SettingsRoutes['get']>> =>
    item(await (group.show?.(call) ?? loadStored(call, group)));
  registry.serve(routes.get, getSettings, { permit });
  registry.with({ permit })(routes.update, async (call) => {
    await updateSettings(call, call.body, group);
    return getSettings(call);
  });
}

async function loadStored({ context }: AnyCall, { name, routes }: SettingsGroup) {
  return routes.get.response.parse(await readOption(context.store.db, name));
}

/** Merges the changes into the stored values. */
async function updateSettings(
  { context }: AnyCall,
  changes: RouteBody<SettingsRoutes['update']>,
  { name, toStored }: SettingsGroup,
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return;
  await retryTransaction(context.store.db, async (tx) => {
    const changed = (await toStored?.(changes, tx)) ?? changes;
    const stored = await lockOption(tx, name);
    await storeOption(tx, name, { ...(stored as object), ...changed });
    await announce(tx, { what: 'settings', id: name, action: 'updated' });
  });
}
