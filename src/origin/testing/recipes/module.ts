import { loadRow } from '#origin/platform/content/resources/resource.ts';
import { fileURLToPath } from 'node:url';
import { eq, inArray } from 'drizzle-orm';
import { createCannotEditError, canEdit, contentRows } from '#origin/platform/content/content-rights.ts';
import { type ContentView, commonFields } from '#origin/platform/content/present-content.ts';
import type { ServedKind } from '#origin/platform/content/serve-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { presentFields, item } from '#origin/platform/http/transport/call.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { uniformRights, KIND_DEFAULTS, TAG } from '#origin/platform/registry/content-kind.ts';
import { serveSettings } from '#origin/platform/settings/serve-settings.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/query-errors.ts';
import { recipe, recipeRoutes, recipeSettings, scaleRecipe } from './contracts.ts';
import { recipeTable } from './table.ts';

declare module '#origin/platform/registry/rights.ts' {
  interface NamespaceRights {
    edit_recipes: true;
    manage_recipes: true;
  }
}

const DEFAULT_SERVINGS = 2;

const recipes: ServedKind<typeof recipeRoutes> = {
  ...KIND_DEFAULTS,
  type: 'recipe',
  base: recipeRoutes.list.path,
  name: 'Recipes',
  icon: 'dashicons-food',
  idParameter: 'recipe_id',
  metaKeys: ['cuisine'],
  terms: [TAG],
  rights: uniformRights('edit_recipes'),
  routes: recipeRoutes,
  present: async (row, view) =>
    presentFields(
      recipe,
      {
        ...(await commonFields(row, view)),
        cuisine: row.meta['cuisine'] ?? '',
        servings: (await loadServings(view)).get(row.id) ?? DEFAULT_SERVINGS,
        tags: (view.related.get(row.id)?.terms ?? []).map(({ id }) => id),
      },
      view,
    ),
  async save(tx, row, { servings }) {
    if (typeof servings === 'number') await saveServings(tx, row.id, servings);
  },
  async remove(tx, row) {
    await tx.delete(recipeTable).where(eq(recipeTable.contentId, row.id));
  },
};

/** A third-party namespace: it imports only the platform and its own folder. */
const recipesModule: NamespaceModule = {
  name: 'recipes',
  description: 'Recipes with their servings.',
  namespaces: ['recipes/v1'],
  rights: { author: ['edit_recipes'], administrator: ['manage_recipes'] },
  migrations: fileURLToPath(new URL('migrations', import.meta.url)),
  contentKinds: [recipes],
  events: { 'recipe-book': 'All recipes' },
  serve(registry) {
    serveSettings(registry, { routes: recipeSettings, name: 'recipes', right: 'manage_recipes' });
    registry.serve(
      scaleRecipe,
      async ({ params, body, context }) => {
        await retryTransaction(context.store.db, async (tx) => {
          await saveServings(tx, params.id, body.servings);
          await announce(tx, { what: 'recipe', id: String(params.id), action: 'updated' });
        });
        return item({ id: params.id, servings: body.servings });
      },
      {
        async permit(call) {
          if (!can(call.caller, 'edit_recipes'))
            throw call.refuse('rest_cannot_edit', 'You are not allowed to edit recipes.');
          if (!canEdit(await loadRow(call, contentRows(recipes), call.params.id), call.caller))
            throw createCannotEditError(call);
        },
      },
    );
  },
};
export default recipesModule;

/** Loads the servings of all rows of a response in one statement. */
function loadServings({ call, memo, rows }: ContentView): Promise<ReadonlyMap<number, number>> {
  return memo.once('servings', async () => {
    const ids = rows.map(({ id }) => id);
    const found = await call.context.store.db.select().from(recipeTable).where(inArray(recipeTable.contentId, ids));
    return new Map(found.map(({ contentId, servings }) => [contentId, servings]));
  });
}

async function saveServings(tx: Transaction, contentId: number, servings: number): Promise<void> {
  await tx
    .insert(recipeTable)
    .values({ contentId, servings })
    .onConflictDoUpdate({ target: recipeTable.contentId, set: { servings } });
}
