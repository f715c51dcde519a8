import { z } from 'zod';
import { route } from '../route.ts';
import { coreErrors } from './errors.ts';
import { wireList } from '../wire.ts';
import { pagedQuery } from './collection-query.ts';
import { address, field, links } from './field.ts';

const readOnly = true;
const checkedFirst = true;

/** Searchable types and their subtypes. */
export const SEARCH_SUBTYPES = {
  post: ['post', 'page'],
  term: ['category', 'post_tag'],
  'post-format': [],
} as const satisfies Record<string, readonly string[]>;

/** A search result of any type (`core/v2/search`). */
export const searchResult = z
  .object({
    id: field('vem', z.int(), { description: 'Id of the result', readOnly }),
    title: field('vem', z.string(), { description: 'Title', readOnly }),
    url: field('vem', address, { description: 'URL of the page', readOnly }),
    type: field('vem', z.string(), { description: 'post, or the taxonomy of a term', readOnly }),
    subtype: field('vem', z.string().optional(), { description: 'Content type', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'search-result' });

const { page, per_page, search, exclude, include } = pagedQuery.shape;

export const listSearchResults = route({
  method: 'GET',
  path: 'core/v2/search',
  summary: 'Searches posts and pages, or terms',
  access: 'public',
  query: z.object({
    context: z
      .enum(['view', 'embed'])
      .default('view')
      .meta({ description: 'Scope of the returned fields', checkedFirst }),
    page,
    per_page,
    search,
    type: z.enum(['post', 'term', 'post-format']).default('post').meta({ description: 'Type of the results' }),
    subtype: wireList(z.enum([...SEARCH_SUBTYPES.post, ...SEARCH_SUBTYPES.term, 'any']))
      .default(['any'])
      .meta({ description: 'Limit to these subtypes', default: 'any' }),
    exclude,
    include,
  }),
  response: z.array(searchResult),
  errors: coreErrors('rest_search_invalid_page_number'),
});
