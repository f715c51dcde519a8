import { getSeoSettings, updateSeoSettings, type SeoSettings } from '#contracts/seo/index.ts';
import { mayEdit } from '#origin/platform/content/content-rights.ts';
import { findRow } from '#origin/platform/content/answer-item.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import {
  item,
  type AnswerOf,
  type AnyCall,
  type Call,
  type RouteRegistry,
} from '#origin/platform/http/transport/index.ts';
import { maySteer, STEERING } from './permit.ts';
import { changeSeoSettings, readSeoSettings, type SeoObject } from './records/object-settings.ts';

/** Serves the settings of single things: our own routes. */
export function serveSeoSettings(registry: RouteRegistry): void {
  registry.serve(getSeoSettings, answerSettings, { permit: permitObject });
  registry.serve(updateSeoSettings, writeSettings, { permit: permitObject });
}

async function answerSettings(call: Call<typeof getSeoSettings>): Promise<AnswerOf<typeof getSeoSettings>> {
  const { store } = call.context;
  return answer(call, await readSeoSettings(store.db, call.context, call.params));
}

async function writeSettings(call: Call<typeof updateSeoSettings>): Promise<AnswerOf<typeof updateSeoSettings>> {
  const { context, params, body, caller, refuse } = call;
  const barred = Object.entries(body).find(([name, value]) => STEERING.has(name) && value !== undefined);
  if (barred && !maySteer(caller)) throw refuse('rest_forbidden', `Only editors may set "${barred[0]}".`);
  return answer(call, await writeContent(context.store.db, (tx) => changeSeoSettings(tx, context, params, body)));
}

type ObjectCall = AnyCall<'rest_not_found'> & { params: SeoObject };

function answer({ params: { type, id }, refuse }: ObjectCall, settings: SeoSettings | undefined) {
  if (!settings) throw refuse('rest_not_found', `There is no "${type}" with the id ${id}.`);
  return item<SeoSettings & SeoObject>({ type, id, ...settings });
}

/** Who may edit the thing itself. What there is not is told only to those who may edit such things. */
async function permitObject(call: ObjectCall): Promise<void> {
  const { caller, params, context, refuse } = call;
  const kind = context.kinds.get(params.type);
  const row = kind && (await findRow(call, kind, params.id));
  const may = row
    ? mayEdit(row, caller)
    : can(caller, kind?.rights.edit ?? (params.type === 'user' ? 'edit_users' : 'manage_categories'));
  const isOwn = params.type === 'user' && caller.user?.id === params.id;
  if (!may && !isOwn) throw refuse('rest_forbidden', 'You may not edit this.');
}
