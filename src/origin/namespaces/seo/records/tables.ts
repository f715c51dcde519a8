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
/** A moment, in UTC. */
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** What a record is about. Objects are rows of content, terms and users; the others are pages of the site itself. */
export type RecordType = 'post' | 'term' | 'user' | 'home-page' | 'post-type-archive' | 'date-archive' | 'system-page';

/**
 * One row for everything that has a head. Lists, scores and counts are read from here; heads themselves are made from
 * the rows that these follow.
 */
export const seoRecord = pgTable(
  'seo_record',
  {
    id: id(),
    type: text().$type<RecordType>().notNull(),
    /** Type of content, taxonomy, `404`, `search-result`; empty for users and the home page. */
    subType: text('sub_type').notNull().default(''),
    /** Id of the row in its own table; 0 for pages of the site itself. */
    objectId: reference('object_id').notNull().default(0),
    /** Path of its page below the address of the site, such as `/about/team/`; null for what has no page of its own. */
    path: text(),
    authorId: reference('author_id'),
    parentId: reference('parent_id'),
    /** Of content; null for others. */
    status: text(),
    isProtected: boolean('is_protected').notNull().default(false),
    /** Whether search engines may list it; null where its settings don't say. */
    isIndexed: boolean('is_indexed'),
    /** Whether strangers can open its page. */
    isPublic: boolean('is_public').notNull().default(false),
    isCornerstone: boolean('is_cornerstone').notNull().default(false),
    focusKeyphrase: text('focus_keyphrase').notNull().default(''),
    /** Scores from 0 to 100; 0 where nothing was analysed. */
    seoScore: integer('seo_score').notNull().default(0),
    readabilityScore: integer('readability_score').notNull().default(0),
    titleScore: integer('title_score').notNull().default(0),
    descriptionScore: integer('description_score').notNull().default(0),
    readingMinutes: integer('reading_minutes').notNull().default(0),
    /** Whether the scores are those of another text, keyphrase, title or description than it has now. */
    isAnalysisDue: boolean('is_analysis_due').notNull().default(false),
    /** Pages that a long text is split into; null for one that is not. */
    pageCount: integer('page_count'),
    /** Pictures that its head may show: ids of media items, and files below the uploads folder. */
    pictures: text().array().notNull().default([]),
    /** Links in its text to pages of the site; null until they were counted. */
    linkCount: integer('link_count'),
    /** Links to its page from texts that strangers can open. */
    incomingLinkCount: integer('incoming_link_count').notNull().default(0),
    publishedAt: moment('published_at'),
    /** When the row was written last. */
    modifiedAt: moment('modified_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When anything of the row or of its settings changed last. */
    updatedAt: moment('updated_at').notNull().defaultNow(),
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

/** Links and pictures in the text of what a record is about, each address once. */
export const seoLink = pgTable(
  'seo_link',
  {
    id: id(),
    recordId: reference('record_id').notNull(),
    /** As it is written in the text. */
    url: text().notNull(),
    type: text().$type<LinkType>().notNull(),
    /** Internal ones: path below the address of the site, as records have theirs. */
    targetPath: text('target_path'),
    width: integer(),
    height: integer(),
  },
  (table) => [index('seo_link_record').on(table.recordId), index('seo_link_target').on(table.targetPath)],
);

/** Settings of terms and users, by their names; those of content lie in its own meta. */
export const seoObjectSettings = pgTable(
  'seo_object_settings',
  {
    type: text().$type<'term' | 'user'>().notNull(),
    objectId: reference('object_id').notNull(),
    meta: boundedJson().$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.type, table.objectId] })],
);
