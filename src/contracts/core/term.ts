import { z } from 'zod';
import { field, links } from './field.ts';

const termFields = {
  id: field('vem', z.int()),
  count: field('ve', z.int().optional()),
  description: field('ve', z.string().optional()),
  link: field('vem', z.string()),
  name: field('vem', z.string()),
  slug: field('vem', z.string()),
  taxonomy: field('vem', z.string()),
};

const termMeta = field('ve', z.union([z.record(z.string(), z.unknown()), z.tuple([])]).optional());

/** A category: a term with a parent. */
export const category = z.object({
  ...termFields,
  parent: field('ve', z.int().optional()),
  meta: termMeta,
  _links: links.optional(),
});

/** A tag: a term without one. */
export const tag = z.object({ ...termFields, meta: termMeta, _links: links.optional() });

export type Category = z.output<typeof category>;
export type Tag = z.output<typeof tag>;
