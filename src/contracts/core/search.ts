import { z } from 'zod';
import { route } from '../route.ts';
import { coreErrors } from './errors.ts';
import { wireList } from '../wire.ts';
import { pagedQuery } from './collection-query.ts';
import { address, field, links } from './field.ts';

const readOnly = true;
const checkedFirst = true;

/** What can be searched for, and the kinds of it. */
export const SEARCHED = {
  post: ['post', 'page'],
  term: ['category', 'post_tag'],
  'post-format': [],
} as const satisfies Record<string, readonly string[]>;

/** Something that words were found in, whatever it is (`core/v2/search`). */
export const searchResult = z
  .object({
    id: field('vem', z.int(), { description: 'Id of what was found', readOnly }),
    title: field('vem', z.string(), { description: 'What it is called', readOnly }),
    url: field('vem', address, { description: 'Address of its page', readOnly }),
    type: field('vem', z.string(), { description: 'post, or the kind of a term', readOnly }),
    subtype: field('vem', z.string().optional(), { description: 'Kind of content', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'search-result' });

const { page, per_page, search, exclude, include } = pagedQuery.shape;

export const listSearchResults = route({
  method: 'GET',
  path: 'core/v2/search',
  summary: 'Posts and pages, or terms, that hold some words',
  access: 'public',
  query: z.object({
    context: z.enum(['view', 'embed']).default('view').meta({ description: 'Which fields are shown', checkedFirst }),
    page,
    per_page,
    search,
    type: z.enum(['post', 'term', 'post-format']).default('post').meta({ description: 'What is searched for' }),
    subtype: wireList(z.enum([...SEARCHED.post, ...SEARCHED.term, 'any']))
      .default(['any'])
      .meta({ description: 'Only these kinds of it', default: 'any' }),
    exclude,
    include,
  }),
  response: z.array(searchResult),
  errors: coreErrors('rest_search_invalid_page_number'),
});
