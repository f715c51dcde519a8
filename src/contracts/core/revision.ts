import { z } from 'zod';
import { field, links, localDateTime, renderedText } from './field.ts';
import { page, post } from './post.ts';

const readOnly = true;

/** Shared fields of revisions and autosaves. Their texts have no separate password. */
const revisionHead = {
  author: field('vem', z.int(), { description: 'Id of the author' }),
  date: field('vem', localDateTime, { description: 'Date of the revision, in site time' }),
  date_gmt: field('ve', localDateTime, { description: 'Date of the revision, in UTC' }),
  id: field('vem', z.int(), { description: 'Id' }),
  modified: field('ve', localDateTime, { description: 'Date of the last change, in site time' }),
  modified_gmt: field('ve', localDateTime, { description: 'Date of the last change, in UTC' }),
  parent: field('vem', z.int(), { description: 'Id of the parent item' }),
  slug: field('vem', z.string(), { description: 'Slug; differs between revisions and autosaves' }),
  guid: field(
    've',
    z.object({
      rendered: field('ve', z.string(), { description: 'Displayed form', readOnly }),
      raw: field('e', z.string().optional(), { description: 'Stored form', readOnly }),
    }),
    { description: 'Permanent identifier', readOnly },
  ),
  title: renderedText('vem', 'Title'),
  content: field('ve', post.shape.content.partial(), { description: 'Content' }),
  excerpt: field('vem', post.shape.excerpt.partial(), { description: 'Excerpt, as written' }),
};

const previewLink = {
  preview_link: field('e', z.string().meta({ format: 'uri' }).optional(), {
    description: 'Preview URL',
    readOnly,
  }),
};

/**
 * Creates the schema of a revision (`core/v2/posts/<parent>/revisions`). @param fields additional fields of the content
 * type
 */
export function contentRevision<S extends z.ZodRawShape>(type: string, fields: S) {
  return z.object({ ...revisionHead, ...fields, _links: links.optional() }).meta({ title: `${type}-revision` });
}

/** Creates the schema of an autosave: unsaved input of a user. @param fields additional fields of the content type */
export function contentAutosave<S extends z.ZodRawShape>(type: string, fields: S) {
  return z
    .object({ ...revisionHead, ...fields, _links: links.optional(), ...previewLink })
    .meta({ title: `${type}-revision` });
}

const { meta: postMeta } = post.shape;
export const postRevision = contentRevision('post', { meta: postMeta });
export const postAutosave = contentAutosave('post', { meta: postMeta });

const { meta: pageMeta } = page.shape;
export const pageRevision = contentRevision('page', { meta: pageMeta });
export const pageAutosave = contentAutosave('page', { meta: pageMeta });

const withoutExcerpt = { excerpt: true } as const;
const menuTitle = { title: 'wp_navigation-revision' };
export const navigationMenuRevision = contentRevision('wp_navigation', {}).omit(withoutExcerpt).meta(menuTitle);
export const navigationMenuAutosave = contentAutosave('wp_navigation', {}).omit(withoutExcerpt).meta(menuTitle);
