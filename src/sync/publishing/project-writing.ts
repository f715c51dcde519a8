import type { Page, Post } from '../../contracts/core/index.ts';
import type { PageRecord, PostRecord, WritingRecord } from '../../snapshot/index.ts';
import { plainText } from './plain-text.ts';
import { sanitiseHtml } from './sanitise-html.ts';

/** A post as the snapshot keeps it; undefined when it isn't for everybody. */
export function projectPost(post: Post): PostRecord | undefined {
  const writing = projectWriting(post);
  const { sticky, format, categories, tags } = post;
  return writing && { ...writing, sticky, format, categories, tags };
}

/** A page as the snapshot keeps it; undefined when it isn't for everybody. */
export function projectPage(page: Page): PageRecord | undefined {
  const writing = projectWriting(page);
  return writing && { ...writing, parent: page.parent || undefined, menuOrder: page.menu_order };
}

function projectWriting(writing: Post | Page): WritingRecord | undefined {
  const { id, slug, status, link, title, content, excerpt, author } = writing;
  if (status !== 'publish' || content.protected || excerpt.protected) return undefined;
  return {
    id,
    slug,
    link,
    title: plainText(title.rendered),
    html: sanitiseHtml(content.rendered, URL.canParse(link) ? { base: link } : {}).trim(),
    excerpt: plainText(excerpt.rendered),
    published: toUtc(writing.date_gmt ?? writing.modified_gmt),
    modified: toUtc(writing.modified_gmt),
    author,
    featuredMedia: writing.featured_media || undefined,
    meta: textsOf(writing.meta),
  };
}

/** Times of the interface that are in UTC carry no zone. */
export function toUtc(time: string): string {
  return `${time}Z`;
}

function textsOf(meta: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(meta).flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : [])),
  );
}
