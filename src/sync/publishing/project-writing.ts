import type { Page, Post } from '#contracts/core/index.ts';
import type { PageRecord, PostRecord, WritingRecord } from '#snapshot/index.ts';
import { htmlText } from '#contracts/html/index.ts';
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
  const html = sanitiseHtml(content.rendered, { base: baseOf(link) }).trim();
  return {
    id,
    slug,
    link,
    title: plainText(title.rendered),
    html,
    excerpt: excerptOf(plainText(excerpt.rendered), html),
    published: toUtc(writing.date_gmt ?? writing.modified_gmt),
    modified: toUtc(writing.modified_gmt),
    author,
    featuredMedia: writing.featured_media || undefined,
    meta: textsOf(writing.meta),
  };
}

/** What relative addresses in a text are resolved against. */
export function baseOf(link: string): string | undefined {
  return URL.canParse(link) ? link : undefined;
}

/** The end of an excerpt that a publishing site has cut. */
const CUT = /(?:\[…\]|\[\.\.\.\]|…|\.\.\.)$/;

/**
 * An excerpt that a publishing site has cut out of the text: such sites leave tags out without a trace, so that cells
 * and blocks become one word. Then it is cut out of our text at the same place. What somebody wrote stays as it is.
 */
function excerptOf(excerpt: string, html: string): string {
  const end = CUT.exec(excerpt)?.[0] ?? '';
  const words = excerpt.slice(0, excerpt.length - end.length).trimEnd();
  const length = words.replaceAll(/\s/g, '').length;
  const text = htmlText(html);
  let cut = 0;
  for (let count = 0; cut < text.length && count < length; cut += 1) if (!/\s/.test(text[cut] ?? '')) count += 1;
  const own = text.slice(0, cut);
  return own.replaceAll(/\s/g, '') === words.replaceAll(/\s/g, '') ? own + excerpt.slice(words.length) : excerpt;
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
