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

/** A state a post was in (`core/v2/posts/<parent>/revisions`). */
export const postRevision = z
  .object({ ...revisionHead, meta: post.shape.meta, _links: links.optional() })
  .meta({ title: 'post-revision' });

/** A state a page was in. */
export const pageRevision = z
  .object({ ...revisionHead, meta: page.shape.meta, _links: links.optional() })
  .meta({ title: 'page-revision' });

/** A state a navigation menu was in. */
export const navigationMenuRevision = postRevision
  .omit({ excerpt: true, meta: true })
  .meta({ title: 'wp_navigation-revision' });

const previewLink = {
  preview_link: field('e', z.string().meta({ format: 'uri' }).optional(), {
    description: 'Address under which it can be looked at',
    readOnly,
  }),
};

/** What a user has typed and not saved yet. */
export const postAutosave = postRevision.extend(previewLink).meta({ title: 'post-revision' });
export const pageAutosave = pageRevision.extend(previewLink).meta({ title: 'page-revision' });

export const navigationMenuAutosave = navigationMenuRevision
  .extend(previewLink)
  .meta({ title: 'wp_navigation-revision' });

export type Revision = z.output<typeof postRevision>;
export type Autosave = z.output<typeof postAutosave>;
