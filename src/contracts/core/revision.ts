import { z } from 'zod';
import { field, links, localDateTime, renderedText } from './field.ts';
import { page, post } from './post.ts';

const readOnly = true;

/** What is kept of each revision; its texts have no password of their own. */
const revisionHead = {
  author: field('vem', z.int(), { description: 'Id of who saved it' }),
  date: field('vem', localDateTime, { description: 'When it was saved, site time' }),
  date_gmt: field('ve', localDateTime, { description: 'The same in UTC' }),
  id: field('vem', z.int(), { description: 'Id of the row' }),
  modified: field('ve', localDateTime, { description: 'When it was last changed, site time' }),
  modified_gmt: field('ve', localDateTime, { description: 'The same in UTC' }),
  parent: field('vem', z.int(), { description: 'Id of what it is a state of' }),
  slug: field('vem', z.string(), { description: 'Tells revisions and autosaves apart' }),
  guid: field(
    've',
    z.object({
      rendered: field('ve', z.string(), { description: 'As it is shown', readOnly }),
      raw: field('e', z.string().optional(), { description: 'As it is stored', readOnly }),
    }),
    { description: 'An address that never changes', readOnly },
  ),
  title: renderedText('vem', 'Title'),
  content: field('ve', post.shape.content.partial(), { description: 'Content' }),
  excerpt: field('vem', post.shape.excerpt.partial(), { description: 'Excerpt, as it was written' }),
};

const previewLink = {
  preview_link: field('e', z.string().meta({ format: 'uri' }).optional(), {
    description: 'Address under which it can be looked at',
    readOnly,
  }),
};

/** A state that content of a kind was in (`core/v2/posts/<parent>/revisions`). @param own fields beside those of all kinds */
export function contentRevision<S extends z.ZodRawShape>(type: string, own: S) {
  return z.object({ ...revisionHead, ...own, _links: links.optional() }).meta({ title: `${type}-revision` });
}

/** What a user has typed and not saved yet. @param own fields beside those of all kinds */
export function contentAutosave<S extends z.ZodRawShape>(type: string, own: S) {
  return z
    .object({ ...revisionHead, ...own, _links: links.optional(), ...previewLink })
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

export type Revision = z.output<typeof postRevision>;
export type Autosave = z.output<typeof postAutosave>;
