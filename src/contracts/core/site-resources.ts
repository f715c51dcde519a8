import { z } from 'zod';
import { route } from '../route.ts';
import { wireInteger, wireText } from '../wire.ts';
import { field, links } from './field.ts';
import { MAX_NAME_LENGTH, writeBody } from './write-body.ts';

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

export const getSiteIndex = route({
  method: 'GET',
  path: '',
  summary: 'Site data and routes',
  access: 'public',
  /** Any context is accepted; `help` adds the schemas of the resources. */
  query: z.object({ context: z.unknown().default('view') }),
  response: siteIndex,
});

export const namespaceIndex = z.looseObject({ namespace: z.string(), routes: routeMap });

const readOnly = true;

/** A content type (`core/v2/types`). */
export const type = z
  .object({
    description: field('ve', z.string(), { description: 'Description', readOnly }),
    hierarchical: field('ve', z.boolean(), { description: 'Whether items have parents', readOnly }),
    has_archive: field('ve', z.boolean(), { description: 'Whether the type has an archive', readOnly }),
    name: field('vem', z.string(), { description: 'Display name', readOnly }),
    slug: field('vem', z.string(), { description: 'Slug', readOnly }),
    icon: field('vem', z.string(), { description: 'Name of the icon', readOnly }),
    taxonomies: field('ve', z.array(z.string()), { description: 'Taxonomies', readOnly }),
    rest_base: field('vem', z.string(), { description: 'Last path segment of the collection', readOnly }),
    rest_namespace: field('vem', z.string(), { description: 'Namespace of the collection', readOnly }),
    template: field('ve', z.array(z.unknown()), { description: 'Initial blocks of new items', readOnly }),
    template_lock: field('ve', z.boolean(), { description: 'Whether the initial blocks are locked', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'type' });

/** A post status (`core/v2/statuses`). */
export const status = z
  .object({
    name: field('vem', z.string(), { description: 'Display name', readOnly }),
    public: field('ve', z.boolean(), { description: 'Whether items with this status are public', readOnly }),
    queryable: field('ve', z.boolean(), {
      description: 'Whether items with this status can be queried publicly',
      readOnly,
    }),
    slug: field('vem', z.string(), { description: 'Slug', readOnly }),
    date_floating: field('ve', z.boolean(), { description: 'Whether the date is set on publication', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'status' });

/** A taxonomy (`core/v2/taxonomies`). */
export const taxonomy = z
  .object({
    name: field('vem', z.string(), { description: 'Display name', readOnly }),
    slug: field('vem', z.string(), { description: 'Slug', readOnly }),
    description: field('ve', z.string(), { description: 'Description', readOnly }),
    types: field('ve', z.array(z.string()), { description: 'Content types', readOnly }),
    hierarchical: field('ve', z.boolean(), { description: 'Whether terms have parents', readOnly }),
    rest_base: field('vem', z.string(), { description: 'Last path segment of the collection', readOnly }),
    rest_namespace: field('vem', z.string(), { description: 'Namespace of the collection', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'taxonomy' });

/** Settings of the site (`core/v2/settings`). */
export const settings = z
  .object({
    title: z.string().meta({ description: 'Name of the site' }),
    description: z.string().meta({ description: 'Tagline' }),
    url: z.string(),
    email: z.string(),
    timezone: z.string().meta({ description: 'IANA name of the time zone' }),
    date_format: z.string(),
    time_format: z.string(),
    start_of_week: z.int(),
    language: z.string(),
    use_smilies: z.boolean(),
    default_category: z.int().meta({ description: 'Default category of posts' }),
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

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

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
    get: route({ method: 'GET', path, summary: title, access: 'user', response: settings }),
    update: route({
      method: 'POST',
      also: ['PUT', 'PATCH'],
      path,
      summary: `Updates: ${title}`,
      access: 'user',
      body,
      response: settings,
    }),
  };
}

export type SettingsRoutes = ReturnType<typeof settingsRoutes<string, z.ZodObject, z.ZodObject>>;
