import { z } from 'zod';
import { wireDateTime } from '../wire.ts';
import { NAVIGATION_MENU_ACTIONS } from './actions.ts';
import { field, links } from './field.ts';
import { contentHead, contentIdentity, post, postStatus, template } from './post.ts';
import { MAX_CONTENT_LENGTH, writeBody, writtenText, writtenTitle } from './write-body.ts';

const status = postStatus.exclude(['auto-draft']);

/** Embedded too, as editors go on from where a menu is shown. */
const raw = field('em', z.string().optional(), { description: 'As it is stored' });
const { title, content, password } = post.shape;
const { rendered, block_version: blockVersion } = content.shape;
const body = content.extend({
  raw,
  rendered: field('vem', rendered),
  block_version: field('em', blockVersion),
});

/** A menu of the site, made of blocks (`core/v2/navigation`). It is a part of pages, and has none of its own. */
export const navigationMenu = z
  .object({
    ...contentHead,
    password,
    ...contentIdentity,
    status: field('vem', z.string().meta({ enum: status.options }), { description: 'Status' }),
    title: field('vem', title.extend({ raw }), { description: 'Title' }),
    content: field('vem', body, { description: 'Its blocks' }),
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
  title: writtenTitle,
  content: writtenText(MAX_CONTENT_LENGTH),
  template: z.string(),
});

export type NavigationMenu = z.output<typeof navigationMenu>;
