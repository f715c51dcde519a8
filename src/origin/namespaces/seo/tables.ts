import { bigint, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { boundedJson } from '#origin/platform/store/store-limits.ts';

const objectId = () => bigint('object_id', { mode: 'number' }).notNull();

/** Last listed head of each page, to find changed heads. */
export const seoHead = pgTable(
  'seo_head',
  {
    /** Type of the page: of content, taxonomy, `author`, `home`, or `archive-<type>`. */
    type: text().notNull(),
    /** ID of the described row; 0 for pages of the site itself. */
    objectId: objectId(),
    digest: text().notNull(),
    /** Time in UTC. */
    changedAt: timestamp('changed_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.objectId] })],
);

/** Settings of terms and users by name. Settings of content are stored in its meta. */
export const seoObjectSettings = pgTable(
  'seo_object_settings',
  {
    type: text().$type<'term' | 'user'>().notNull(),
    objectId: objectId(),
    meta: boundedJson().$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.type, table.objectId] })],
);
