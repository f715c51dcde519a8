import { bigint, integer, pgTable } from 'drizzle-orm/pg-core';

/** Columns of recipes in addition to the shared columns of content. */
export const recipeTable = pgTable('recipe', {
  contentId: bigint('content_id', { mode: 'number' }).primaryKey(),
  servings: integer().notNull(),
});
