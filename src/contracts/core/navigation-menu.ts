import { z } from 'zod';
import { wireDateTime } from '../wire.ts';
import { NAVIGATION_MENU_ACTIONS } from './errors.ts';
import { field, links } from './field.ts';
import { contentHead, contentIdentity, post, postStatus, template } from './post.ts';
import { MAX_CONTENT_LENGTH, writeBody, textInput, titleInput } from './write-body.ts';

const status = postStatus.exclude(['auto-draft']);

/** Also embedded, because editors edit menus in the place where they are shown. */
const raw = field('em', z.string().optional(), { description: 'Stored form' });
const { title, content, password } = post.shape;
const { rendered, block_version: blockVersion } = content.shape;
const body = content.extend({
  raw,
  rendered: field('vem', rendered),
  block_version: field('em', blockVersion),
});

/** A navigation menu made of blocks (`core/v2/navigation`). Menus have no pages. */
export const navigationMenu = z
  .object({
    ...contentHead,
    password,
    ...contentIdentity,
    status: field('vem', z.string().meta({ enum: status.options }), { description: 'Status' }),
    title: field('vem', title.extend({ raw }), { description: 'Title' }),
    content: field('vem', body, { description: 'Block markup' }),
    template,
    _links: links.optional(),
  })
  .meta({ title: 'wp_navigation', actions: NAVIGATION_MENU_ACTIONS });

export const navigationMenuBody = writeBody(navigationMenu, {
  date: wireDateTime.nullable(),
  date_gmt: wireDateTime.nullable(),
  slug: z.string(),
  status,
  password: z.string(),
  title: titleInput,
  content: textInput(MAX_CONTENT_LENGTH),
  template: z.string(),
});
