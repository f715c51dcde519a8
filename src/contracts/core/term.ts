import { z } from 'zod';
import { wireInteger, wireText } from '../wire.ts';
import { address, field, links, looseMap } from './field.ts';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH, mapInput, writeBody } from './write-body.ts';

const readOnly = true;

const termFields = {
  id: field('vem', z.int(), { description: 'Id of the term', readOnly }),
  count: field('ve', z.int().optional(), { description: 'Number of published posts', readOnly }),
  description: field('ve', z.string().optional(), { description: 'Description' }),
  link: field('vem', address, { description: 'URL of the page', readOnly }),
  name: field('vem', z.string(), { description: 'Name' }),
  slug: field('vem', z.string(), { description: 'Slug, unique within its taxonomy' }),
  taxonomy: field('vem', z.string(), { description: 'Taxonomy', readOnly }),
};

const termMeta = field('ve', looseMap(z.unknown()).optional(), { description: 'Meta fields' });

/** A category: a term with a parent. */
export const category = z
  .object({
    ...termFields,
    parent: field('ve', z.int().optional(), { description: 'Id of the parent category, 0 for none' }),
    meta: termMeta,
    _links: links.optional(),
  })
  .meta({ title: 'category' });

/** A tag: a term without a parent. */
export const tag = z.object({ ...termFields, meta: termMeta, _links: links.optional() }).meta({ title: 'tag' });

const termForms = {
  description: wireText(MAX_TEXT_LENGTH),
  name: wireText(MAX_NAME_LENGTH),
  slug: wireText(MAX_NAME_LENGTH),
  meta: mapInput,
};

export const categoryBody = writeBody(category, { ...termForms, parent: wireInteger() });
export const tagBody = writeBody(tag, termForms);

export type Category = z.output<typeof category>;
export type Tag = z.output<typeof tag>;
