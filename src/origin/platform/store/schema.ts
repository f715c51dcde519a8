import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CommentStatus } from '#contracts/core/comment-routes.ts';
import type { Role } from '#contracts/core/user-routes.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { boundedJson, MAX_MEDIA_DETAILS_BYTES } from './store-limits.ts';

/**
 * Tables of the origin, in the subset of Postgres that distributed engines support: identity keys, no generated
 * columns, triggers or extensions.
 */

const id = () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
const reference = (name?: string) => (name ? bigint(name, { mode: 'number' }) : bigint({ mode: 'number' }));
/** Timestamp in UTC. */
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
/** Local time without zone, `2026-11-21 10:00:00`. */
const wallClock = (name: string) => timestamp(name, { withTimezone: false, mode: 'string', precision: 0 });
const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** Settings by name: `site`, `languages-rule`, … */
export const option = pgTable('option', { name: text().primaryKey(), value: boundedJson().$type<unknown>().notNull() });

export const user = pgTable('user', {
  id: id(),
  login: text().notNull().unique(),
  email: text().notNull().unique(),
  name: text().notNull(),
  firstName: text('first_name').notNull().default(''),
  lastName: text('last_name').notNull().default(''),
  /** Empty for the login. */
  nickname: text().notNull().default(''),
  /** Empty for the language of the site. */
  locale: text().notNull().default(''),
  slug: text().notNull().unique(),
  url: text().notNull().default(''),
  description: text().notNull().default(''),
  role: text().$type<Role>().notNull(),
  /** argon2id in PHC form. Empty for accounts that can't sign in. */
  passwordHash: text('password_hash').notNull().default(''),
  active: boolean().notNull().default(true),
  registeredAt: moment('registered_at').notNull().defaultNow(),
});

/** A stored user. Includes the password hash: never send it in a response. */
export type UserRow = typeof user.$inferSelect;

export const applicationPassword = pgTable('application_password', {
  uuid: uuid().primaryKey(),
  userId: reference('user_id').notNull(),
  appId: text('app_id').notNull().default(''),
  name: text().notNull(),
  /** SHA-256 of the 24 characters. As they are random, a fast hash is sufficient. */
  hash: text().notNull().unique(),
  createdAt: moment('created_at').notNull().defaultNow(),
  lastUsedAt: moment('last_used_at'),
  lastIp: text('last_ip'),
});

/** A signed-in browser. The cookie contains the key of this SHA-256. */
export const session = pgTable('session', {
  hash: text().primaryKey(),
  userId: reference('user_id').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  expiresAt: moment('expires_at').notNull(),
});

/** A token of the product interface, found by its hash and shown to its owner from the encrypted copy. */
export const productToken = pgTable('product_token', {
  id: id(),
  userId: reference('user_id').notNull(),
  label: text().notNull().default(''),
  hash: text().notNull().unique(),
  /** AES-256-GCM under the origin's key: nonce, tag, text. */
  sealed: bytea().notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  revokedAt: moment('revoked_at'),
});

export const productLanguage = pgTable('product_language', {
  code: text().primaryKey(),
  name: text().notNull(),
  position: integer().notNull().default(0),
});

export const product = pgTable(
  'product',
  {
    gtin: text().notNull(),
    language: text().notNull(),
    /** The record as written. Links may be paths relative to the public address. */
    record: boundedJson().$type<ProductRecord>().notNull(),
    digest: text().notNull(),
    modifiedAt: moment('modified_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.gtin, table.language] }),
    index('product_modified').on(table.modifiedAt, table.gtin, table.language),
  ],
);

/** Content of all kinds and revisions, which share IDs, slugs and most fields. */
export const content = pgTable(
  'content',
  {
    id: id(),
    /** A registered kind, or `revision`. */
    type: text().notNull(),
    status: text().notNull(),
    slug: text().notNull().default(''),
    title: text().notNull().default(''),
    content: text().notNull().default(''),
    excerpt: text().notNull().default(''),
    password: text().notNull().default(''),
    authorId: reference('author_id').notNull(),
    parentId: reference('parent_id').notNull().default(0),
    menuOrder: integer('menu_order').notNull().default(0),
    /** Site time. */
    date: wallClock('date').notNull(),
    /** Null for drafts whose date floats until publication. */
    dateGmt: wallClock('date_gmt'),
    modified: wallClock('modified').notNull(),
    modifiedGmt: wallClock('modified_gmt').notNull(),
    guid: text().notNull().default(''),
    commentStatus: text('comment_status').notNull().default('open'),
    pingStatus: text('ping_status').notNull().default('open'),
    featuredMedia: reference('featured_media').notNull().default(0),
    format: text().notNull().default(''),
    template: text().notNull().default(''),
    sticky: boolean().notNull().default(false),
    meta: boundedJson().$type<Record<string, string>>().notNull().default({}),
    /** Media only. */
    mimeType: text('mime_type').notNull().default(''),
    /** Media only: path below the uploads folder. */
    file: text().notNull().default(''),
    altText: text('alt_text').notNull().default(''),
    mediaDetails: boundedJson('media_details', MAX_MEDIA_DETAILS_BYTES)
      .$type<Record<string, unknown>>()
      .notNull()
      .default({}),
    /** Status before trashing; empty for other rows. */
    statusBeforeTrash: text('status_before_trash').notNull().default(''),
    slugBeforeTrash: text('slug_before_trash').notNull().default(''),
  },
  (table) => [
    index('content_list').on(table.type, table.status, table.date, table.id),
    index('content_slug').on(table.slug),
    // Slugs are chosen under a lock (content/write-content.ts). These indexes also guard against writers without it.
    uniqueIndex('content_post_slug')
      .on(table.slug)
      .where(sql`${table.type} = 'post' and ${table.slug} <> ''`),
    uniqueIndex('content_page_slug')
      .on(table.parentId, table.slug)
      .where(sql`${table.type} = 'page' and ${table.slug} <> ''`),
    uniqueIndex('content_media_slug')
      .on(table.slug)
      .where(sql`${table.type} = 'attachment' and ${table.slug} <> ''`),
    index('content_parent').on(table.parentId),
    index('content_author').on(table.authorId),
    index('content_modified').on(table.type, table.modified),
    // For looking up featured images and file owners of many images.
    index('content_featured').on(table.featuredMedia),
    index('content_file').on(table.file),
    index('content_original').on(sql`(${table.mediaDetails} ->> 'original_image')`),
  ],
);

export const term = pgTable(
  'term',
  {
    id: id(),
    taxonomy: text().notNull(),
    name: text().notNull(),
    slug: text().notNull(),
    description: text().notNull().default(''),
    parentId: reference('parent_id').notNull().default(0),
  },
  (table) => [uniqueIndex('term_slug').on(table.taxonomy, table.slug)],
);

export const contentTerm = pgTable(
  'content_term',
  { contentId: reference('content_id').notNull(), termId: reference('term_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.contentId, table.termId] }),
    index('content_term_term').on(table.termId, table.contentId),
  ],
);

export const comment = pgTable(
  'comment',
  {
    id: id(),
    contentId: reference('content_id').notNull(),
    /** Parent comment, or 0. */
    parentId: reference('parent_id').notNull().default(0),
    /** 0 for visitors and deleted accounts. */
    authorId: reference('author_id').notNull().default(0),
    authorName: text('author_name').notNull().default(''),
    authorEmail: text('author_email').notNull().default(''),
    authorUrl: text('author_url').notNull().default(''),
    /** Filtered HTML. */
    text: text().notNull(),
    status: text().$type<CommentStatus>().notNull(),
    /** Site time. */
    date: wallClock('date').notNull(),
    dateGmt: wallClock('date_gmt').notNull(),
  },
  (table) => [
    index('comment_list').on(table.contentId, table.status, table.dateGmt, table.id),
    index('comment_parent').on(table.parentId),
    index('comment_date').on(table.dateGmt, table.id),
  ],
);

/** Mapping of imported records to rows of this store. */
export const imported = pgTable(
  'imported',
  {
    /** Address of the source site. */
    source: text().notNull(),
    kind: text().notNull(),
    sourceId: reference('source_id').notNull(),
    ownId: reference('own_id').notNull(),
    /** Digest of the record at its last import. */
    digest: text().notNull().default(''),
    /**
     * Digest of the row at its last import. A different digest means a local change. Empty for rows that existed
     * before.
     */
    ownDigest: text('own_digest').notNull().default(''),
    /** Media only: path of the original below the uploads folder of the source site. */
    path: text().notNull().default(''),
    /** References to records that aren't imported yet: source IDs by column. */
    waiting: boundedJson().$type<Record<string, number>>().notNull().default({}),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.kind, table.sourceId] }),
    index('imported_own').on(table.kind, table.ownId),
    index('imported_path').on(table.source, table.path),
  ],
);

/** Messages to webhook receivers, written in the transaction of the change. */
export const outbox = pgTable(
  'outbox',
  {
    id: id(),
    kind: text().notNull(),
    payload: boundedJson().$type<Record<string, unknown>>().notNull(),
    attempts: integer().notNull().default(0),
    runAt: moment('run_at').notNull().defaultNow(),
    doneAt: moment('done_at'),
  },
  (table) => [index('outbox_due').on(table.doneAt, table.runAt)],
);
