import { getSeoSettings, updateSeoSettings, type SeoSettings } from '#contracts/seo/settings.ts';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { findRow } from '#origin/platform/content/get-item.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import {
  item,
  type ResultOf,
  type AnyCall,
  type Call,
  type RouteRegistry,
} from '#origin/platform/http/transport/index.ts';
import { canEditProtectedSettings, EDITOR_SETTINGS } from './authorize.ts';
import { writeSeoSettings, readSeoSettings, type SeoObject } from './records/object-settings.ts';

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
