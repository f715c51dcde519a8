import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { boundedJson } from '#origin/platform/store/json-column.ts';

const id = () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
const reference = (name: string) => bigint(name, { mode: 'number' });
/** Timestamp in UTC. */
const utcTimestamp = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Subject of a record: a row of content, a term, a user, or a page of the site itself. */
export type RecordType = 'post' | 'term' | 'user' | 'home-page' | 'post-type-archive' | 'date-archive' | 'system-page';

/**
 * One row for everything that has a head. Lists, scores and counts are read from here. Heads are composed from the
 * rows that the records describe.
 */
export const seoRecord = pgTable(
  'seo_record',
  {
    id: id(),
    type: text().$type<RecordType>().notNull(),
    /** Type of content, taxonomy, `404`, `search-result`; empty for users and the home page. */
    subType: text('sub_type').notNull().default(''),
    /** ID of the described row; 0 for pages of the site itself. */
    objectId: reference('object_id').notNull().default(0),
    /** Path of its page below the address of the site, such as `/about/team/`; null without a page. */
    path: text(),
    authorId: reference('author_id'),
    parentId: reference('parent_id'),
    /** Status of content; null for other types. */
    status: text(),
    isProtected: boolean('is_protected').notNull().default(false),
    /** True if search engines may list the page; null if its settings don't decide. */
    isIndexed: boolean('is_indexed'),
    /** True if anonymous visitors can open the page. */
    isPublic: boolean('is_public').notNull().default(false),
    isCornerstone: boolean('is_cornerstone').notNull().default(false),
    focusKeyphrase: text('focus_keyphrase').notNull().default(''),
    /** Scores from 0 to 100; 0 if not analysed. */
    seoScore: integer('seo_score').notNull().default(0),
    readabilityScore: integer('readability_score').notNull().default(0),
    titleScore: integer('title_score').notNull().default(0),
    descriptionScore: integer('description_score').notNull().default(0),
    readingMinutes: integer('reading_minutes').notNull().default(0),
    /** True if the text, keyphrase, title or description has changed since the analysis. */
    isAnalysisDue: boolean('is_analysis_due').notNull().default(false),
    /** Number of pages that the text is split into; null if it is not split. */
    pageCount: integer('page_count'),
    /** Images that its head can contain: IDs of media items, and files below the uploads folder. */
    pictures: text().array().notNull().default([]),
    /** Number of links from its text to pages of the site; null if not counted yet. */
    linkCount: integer('link_count'),
    /** Number of public texts that link to its page. */
    incomingLinkCount: integer('incoming_link_count').notNull().default(0),
    publishedAt: utcTimestamp('published_at'),
    /** Time of the last write to the described row. */
    modifiedAt: utcTimestamp('modified_at'),
    createdAt: utcTimestamp('created_at').notNull().defaultNow(),
    /** Time of the last change of the row or its settings. */
    updatedAt: utcTimestamp('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('seo_record_object').on(table.type, table.subType, table.objectId),
    index('seo_record_path').on(table.path),
    index('seo_record_updated').on(table.updatedAt, table.id),
    index('seo_record_pictures').using('gin', table.pictures),
  ],
);
export type SeoRecord = typeof seoRecord.$inferSelect;

export type LinkType = 'internal' | 'external' | 'image-in' | 'image-ex';

/** Links and images in the text of a record, each address once. */
export const seoLink = pgTable(
  'seo_link',
  {
    id: id(),
    recordId: reference('record_id').notNull(),
    /** Address as written in the text. */
    url: text().notNull(),
    type: text().$type<LinkType>().notNull(),
    /** Record path of an internal link. */
    targetPath: text('target_path'),
    width: integer(),
    height: integer(),
  },
  (table) => [index('seo_link_record').on(table.recordId), index('seo_link_target').on(table.targetPath)],
);

/** Settings of terms and users by name. Settings of content are stored in its meta. */
export const seoObjectSettings = pgTable(
  'seo_object_settings',
  {
    type: text().$type<'term' | 'user'>().notNull(),
    objectId: reference('object_id').notNull(),
    meta: boundedJson().$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.type, table.objectId] })],
);
