import { z } from 'zod';
import { contentRevision, contentFields, contentForms, revisedExcerpt } from '#contracts/core/post.ts';
import { contentListQuery, postItemQuery } from '#contracts/core/collection-query.ts';
import { contentRoutes } from '#contracts/core/routes.ts';
import { field, writeBody } from '#contracts/core/field.ts';
import { settingsRoutes } from '#contracts/core/site-resources.ts';
import { route, wireInteger, wireList } from '#contracts/index.ts';
import { wireText } from '#contracts/wire.ts';

const atLeastOne = wireInteger({ minimum: 1 });

/** A content kind with a field in `meta`, and another one in a separate table. */
export const recipe = z
  .object({
    ...contentFields,
    cuisine: field('vem', z.string(), 'Cuisine'),
    servings: field('vem', z.int(), 'Number of servings'),
    tags: field('ve', z.array(z.int()), 'Ids of its tags'),
  })
  .meta({ title: 'recipe' });

export const recipeRoutes = contentRoutes({
  path: 'recipes/v1/recipes',
  many: 'Recipes',
  one: 'a recipe',
  resource: recipe,
  revision: contentRevision('recipe', revisedExcerpt),
  query: contentListQuery,
  itemQuery: postItemQuery,
  body: writeBody(recipe, {
    ...contentForms,
    cuisine: wireText(100),
    servings: atLeastOne,
    tags: wireList(wireInteger()),
  }),
});

/** Further routes: this one and two for settings. */
export const scaleRecipe = route({
  method: 'POST',
  path: 'recipes/v1/recipes/<id>/scale',
  summary: 'Changes the number of servings',
  access: 'user',
  params: z.object({ id: wireInteger().describe('Id of the recipe') }),
  body: z.object({ servings: atLeastOne.describe('New number of servings') }),
  response: z.object({ id: z.int(), servings: z.int() }),
  errors: { rest_post_invalid_id: 404, rest_cannot_edit: 'denied' },
});

const settings = z
  .object({
    units: z.enum(['metric', 'imperial']).default('metric').describe('Units of its measures'),
    most_servings: z.int().default(12).describe('Maximum number of servings'),
  })
  .meta({ title: 'recipe-settings' });

export const recipeSettings = settingsRoutes({
  path: 'recipes/v1/settings',
  title: 'Settings of recipes',
  settings,
  body: writeBody(settings, { units: z.enum(['metric', 'imperial']), most_servings: atLeastOne }),
});
