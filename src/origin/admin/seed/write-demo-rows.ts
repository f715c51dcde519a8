import { toUtc } from '#origin/platform/site/index.ts';
import type { DemoMediaItem, DemoPage, DemoPost } from './demo-content.ts';
import { demoMeta } from './demo-seo.ts';
import type { content, contentTerm } from '#origin/platform/store/schema.ts';
import type { DemoUpload } from './find-demo-files.ts';
import type { PreparedDemo } from './prepare-demo.ts';
import { termKey } from './seed-terms.ts';

type ContentRow = typeof content.$inferInsert;
type AssignedTerm = typeof contentTerm.$inferInsert;

export interface DemoPlace {
  /** Number of the first row; the others follow it. */
  firstId: number;
  /** Ids by login. */
  authors: ReadonlyMap<string, number>;
  /** Ids by `termKey`. */
  terms: ReadonlyMap<string, number>;
  /** The site's address, without a slash at the end. */
  site: string;
}

/** In the site's time. */
export const UPLOADED = '2026-01-08 09:00:00';
export const PAGES_WRITTEN = '2026-01-09 09:00:00';

/** The demo's media, pages and posts as rows, numbered in this order. */
export function writeDemoRows(
  { content: demo, uploads }: PreparedDemo,
  place: DemoPlace,
): { rows: ContentRow[]; assigned: AssignedTerm[] } {
  const mediaIds = new Map(uploads.map((upload, i) => [`${upload.key} ${upload.language}`, place.firstId + i]));
  const firstPageId = place.firstId + uploads.length;
  const pageIds = new Map(demo.pages.map((page, i) => [`${page.key} ${page.language}`, firstPageId + i]));
  const firstPostId = firstPageId + demo.pages.length;
  const mediaAt = (key: string | undefined, language: string) => mediaIds.get(`${key} ${language}`) ?? 0;
  const authorOf = (login: string) => place.authors.get(login) ?? 0;
  const authorIn = (language: string) => authorOf(demo.users.find((user) => user.language === language)?.login ?? '');
  const files = new Map(uploads.map(({ key, language, file }) => [`${key} ${language}`, file]));

  const bodyOf = ({ body, language }: DemoPage | DemoPost) =>
    body
      .replaceAll('{site}', place.site)
      .replaceAll(/\{media:([a-z0-9-]+)\}/g, (_, key) => `${place.site}/uploads/${files.get(`${key} ${language}`)}`);

  const writeMediaItem = (upload: DemoUpload, i: number): ContentRow => ({
    ...dated(UPLOADED, demo.site.timezone),
    ...textsOf(demo.media, upload),
    id: place.firstId + i,
    type: 'attachment',
    status: 'inherit',
    slug: `${upload.key}-${upload.language}`,
    authorId: authorIn(upload.language),
    guid: `${place.site}/uploads/${upload.file}`,
    pingStatus: 'closed',
    mimeType: 'image/jpeg',
    file: upload.file,
    mediaDetails: upload.mediaDetails,
  });

  const writePage = (page: DemoPage, i: number): ContentRow => ({
    ...dated(PAGES_WRITTEN, demo.site.timezone),
    id: firstPageId + i,
    type: 'page',
    status: 'publish',
    slug: page.slug,
    title: page.title,
    content: bodyOf(page),
    authorId: authorOf(page.author),
    parentId: pageIds.get(`${page.parent} ${page.language}`) ?? 0,
    menuOrder: page.menu_order,
    guid: `${place.site}/?page_id=${firstPageId + i}`,
    commentStatus: 'closed',
    pingStatus: 'closed',
    featuredMedia: mediaAt(page.featured, page.language),
    meta: demoMeta(demo.seo.pages[page.key]?.[page.language]),
  });

  const writePost = (post: DemoPost, i: number): ContentRow => ({
    ...dated(post.date.replace('T', ' '), demo.site.timezone),
    id: firstPostId + i,
    type: 'post',
    status: 'publish',
    slug: post.slug,
    title: post.title,
    content: bodyOf(post),
    excerpt: post.excerpt ?? '',
    authorId: authorOf(post.author),
    guid: `${place.site}/${post.slug}/`,
    featuredMedia: mediaAt(post.featured, post.language),
    meta: demoMeta(demo.seo.posts[post.key]?.[post.language]),
    sticky: post.sticky,
  });

  const assigned = demo.posts.flatMap(({ categories, tags }, i) =>
    [...categories.map((slug) => termKey('category', slug)), ...tags.map((slug) => termKey('post_tag', slug))].map(
      (key) => ({ contentId: firstPostId + i, termId: place.terms.get(key) ?? 0 }),
    ),
  );
  return {
    rows: [...uploads.map(writeMediaItem), ...demo.pages.map(writePage), ...demo.posts.map(writePost)],
    assigned,
  };
}

function dated(date: string, timezone: string) {
  const dateGmt = toUtc(date, timezone);
  return { date, dateGmt, modified: date, modifiedGmt: dateGmt };
}

function textsOf(media: readonly DemoMediaItem[], { key, language }: DemoUpload) {
  const mediaItem = media.find((candidate) => candidate.key === key);
  return {
    title: mediaItem?.title[language] ?? key,
    altText: mediaItem?.alt[language] ?? '',
    excerpt: mediaItem?.caption[language] ?? '',
    content: mediaItem?.description[language] ?? '',
  };
}
