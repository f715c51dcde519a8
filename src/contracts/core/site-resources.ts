import { z } from 'zod';
import { readRoute, updateRoute } from '../route.ts';
import { wireInteger, wireText, wireList } from '../wire.ts';
import {
  links,
  readOnlyField,
  MAX_NAME_LENGTH,
  writeBody,
  address,
  field,
  looseMap,
  MAX_TEXT_LENGTH,
  mapInput,
} from './field.ts';
import { isTimeZone } from '../site-clock.ts';
import { coreErrors } from './errors.ts';
import { pagedQuery } from './collection-query.ts';

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
    id: readOnlyField('vem', z.int(), 'Id of the result'),
    title: readOnlyField('vem', z.string(), 'Title'),
    url: readOnlyField('vem', address, 'URL of the page'),
    type: readOnlyField('vem', z.string(), 'post, or the taxonomy of a term'),
    subtype: readOnlyField('vem', z.string().optional(), 'Content type'),
    _links: links.optional(),
  })
  .meta({ title: 'search-result' });

const { page, per_page, search, exclude, include } = pagedQuery.shape;

export const listSearchResults = readRoute('core/v2/search', 'public', {
  summary: 'Searches posts and pages, or terms',
  query: z.object({
    context: z
      .enum(['view', 'embed'])
      .default('view')
      .meta({ description: 'Scope of the returned fields', checkedFirst }),
    page,
    per_page,
    search,
    type: z.enum(['post', 'term', 'post-format']).default('post').describe('Type of the results'),
    subtype: wireList(z.enum([...SEARCH_SUBTYPES.post, ...SEARCH_SUBTYPES.term, 'any']))
      .default(['any'])
      .meta({ description: 'Limit to these subtypes', default: 'any' }),
    exclude,
    include,
  }),
  response: z.array(searchResult),
  errors: coreErrors('rest_search_invalid_page_number'),
});

const termFields = {
  id: readOnlyField('vem', z.int(), 'Id of the term'),
  count: readOnlyField('ve', z.int().optional(), 'Number of published posts'),
  description: field('ve', z.string().optional(), 'Description'),
  link: readOnlyField('vem', address, 'URL of the page'),
  name: field('vem', z.string(), 'Name'),
  slug: field('vem', z.string(), 'Slug, unique within its taxonomy'),
  taxonomy: readOnlyField('vem', z.string(), 'Taxonomy'),
};

const termMeta = field('ve', looseMap(z.unknown()).optional(), 'Meta fields');

/** A category: a term with a parent. */
export const category = z
  .object({
    ...termFields,
    parent: field('ve', z.int().optional(), 'Id of the parent category, 0 for none'),
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

const routeDescription = z.looseObject({
  namespace: z.string(),
  methods: z.array(z.string()),
  endpoints: z.array(z.looseObject({ methods: z.array(z.string()) })),
});

const routeMap = z.union([z.record(z.string(), routeDescription), z.tuple([])]);

/** Index of the site at the REST root, section 1 of the publishing interface. */
export const siteIndex = z.looseObject({
  name: z.string(),
  description: z.string(),
  url: z.string(),
  home: z.string(),
  gmt_offset: z.number(),
  timezone_string: z.string(),
  page_for_posts: z.int(),
  page_on_front: z.int(),
  show_on_front: z.string(),
  namespaces: z.array(z.string()),
  authentication: z.union([z.record(z.string(), z.unknown()), z.tuple([])]),
  routes: routeMap,
});

export const getSiteIndex = readRoute('', 'public', {
  summary: 'Site data and routes',
  /** Any context is accepted; `help` adds the schemas of the resources. */
  query: z.object({ context: z.unknown().default('view') }),
  response: siteIndex,
});

export const namespaceIndex = z.looseObject({ namespace: z.string(), routes: routeMap });

/** A content type (`core/v2/types`). */
export const type = z
  .object({
    description: readOnlyField('ve', z.string(), 'Description'),
    hierarchical: readOnlyField('ve', z.boolean(), 'Whether items have parents'),
    has_archive: readOnlyField('ve', z.boolean(), 'Whether the type has an archive'),
    name: readOnlyField('vem', z.string(), 'Display name'),
    slug: readOnlyField('vem', z.string(), 'Slug'),
    icon: readOnlyField('vem', z.string(), 'Name of the icon'),
    taxonomies: readOnlyField('ve', z.array(z.string()), 'Taxonomies'),
    rest_base: readOnlyField('vem', z.string(), 'Last path segment of the collection'),
    rest_namespace: readOnlyField('vem', z.string(), 'Namespace of the collection'),
    template: readOnlyField('ve', z.array(z.unknown()), 'Initial blocks of new items'),
    template_lock: readOnlyField('ve', z.boolean(), 'Whether the initial blocks are locked'),
    _links: links.optional(),
  })
  .meta({ title: 'type' });

/** A post status (`core/v2/statuses`). */
export const status = z
  .object({
    name: readOnlyField('vem', z.string(), 'Display name'),
    public: readOnlyField('ve', z.boolean(), 'Whether items with this status are public'),
    queryable: readOnlyField('ve', z.boolean(), 'Whether items with this status can be queried publicly'),
    slug: readOnlyField('vem', z.string(), 'Slug'),
    date_floating: readOnlyField('ve', z.boolean(), 'Whether the date is set on publication'),
    _links: links.optional(),
  })
  .meta({ title: 'status' });

/** A taxonomy (`core/v2/taxonomies`). */
export const taxonomy = z
  .object({
    name: readOnlyField('vem', z.string(), 'Display name'),
    slug: readOnlyField('vem', z.string(), 'Slug'),
    description: readOnlyField('ve', z.string(), 'Description'),
    types: readOnlyField('ve', z.array(z.string()), 'Content types'),
    hierarchical: readOnlyField('ve', z.boolean(), 'Whether terms have parents'),
    rest_base: readOnlyField('vem', z.string(), 'Last path segment of the collection'),
    rest_namespace: readOnlyField('vem', z.string(), 'Namespace of the collection'),
    _links: links.optional(),
  })
  .meta({ title: 'taxonomy' });

/** Settings of the site (`core/v2/settings`). */
export const settings = z
  .object({
    title: z.string().describe('Name of the site'),
    description: z.string().describe('Tagline'),
    url: z.string(),
    email: z.string(),
    timezone: z.string().describe('IANA name of the time zone'),
    date_format: z.string(),
    time_format: z.string(),
    start_of_week: z.int(),
    language: z.string(),
    use_smilies: z.boolean(),
    default_category: z.int().describe('Default category of posts'),
    default_post_format: z.string(),
    posts_per_page: z.int(),
    show_on_front: z.string(),
    page_on_front: z.int(),
    page_for_posts: z.int(),
    default_ping_status: z.string(),
    default_comment_status: z.string(),
    site_logo: z.int().nullable(),
    site_icon: z.int(),
  })
  .meta({ title: 'settings' });

export type SiteSettings = z.output<typeof settings>;

/** Only stored settings can be changed; the others are constant. */
export const { get: getSettings, update: updateSettings } = settingsRoutes({
  path: 'core/v2/settings',
  title: 'Site settings',
  settings,
  body: writeBody(settings, {
    title: wireText(MAX_NAME_LENGTH),
    description: wireText(MAX_NAME_LENGTH),
    timezone: z.string().refine(isTimeZone),
    default_category: wireInteger(),
  }),
});

/** Declares the routes of a settings group: read and update. */
export function settingsRoutes<const P extends string, S extends z.ZodObject, B extends z.ZodObject>(group: {
  path: P;
  /** Name of the group in summaries: `Settings of the site`. */
  title: string;
  settings: S;
  /** Writable settings. */
  body: B;
}) {
  const { path, title, settings, body } = group;
  return {
    get: readRoute(path, 'user', { summary: title, response: settings }),
    update: updateRoute(path, { summary: `Updates: ${title}`, body, response: settings }),
  };
}

export type SettingsRoutes = ReturnType<typeof settingsRoutes<string, z.ZodObject, z.ZodObject>>;
