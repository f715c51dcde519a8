import { bigint, integer, pgTable } from 'drizzle-orm/pg-core';

/** What recipes have beside the columns that all content shares. */
export const recipeTable = pgTable('recipe', {
  contentId: bigint('content_id', { mode: 'number' }).primaryKey(),
  servings: integer().notNull(),
});
