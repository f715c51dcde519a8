import { z } from 'zod';
import { route } from '../route.ts';
import { wireInteger, wireText } from '../wire.ts';
import { field, links } from './field.ts';
import { MAX_NAME_LENGTH, writeBody } from './write-body.ts';

const readOnly = true;

/** A kind of content (`core/v2/types`). */
export const type = z
  .object({
    description: field('ve', z.string(), { description: 'Description', readOnly }),
    hierarchical: field('ve', z.boolean(), { description: 'Whether rows have parents', readOnly }),
    has_archive: field('ve', z.boolean(), { description: 'Whether it has an archive of its own', readOnly }),
    name: field('vem', z.string(), { description: 'Name that is shown', readOnly }),
    slug: field('vem', z.string(), { description: 'Name of the kind', readOnly }),
    icon: field('vem', z.string(), { description: 'Name of its icon', readOnly }),
    taxonomies: field('ve', z.array(z.string()), { description: 'Kinds of terms it carries', readOnly }),
    rest_base: field('vem', z.string(), { description: 'Last segment of its collection', readOnly }),
    rest_namespace: field('vem', z.string(), { description: 'Namespace of its collection', readOnly }),
    template: field('ve', z.array(z.unknown()), { description: 'Blocks that new rows begin with', readOnly }),
    template_lock: field('ve', z.boolean(), { description: 'Whether those may be changed', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'type' });

/** A status of content (`core/v2/statuses`). */
export const status = z
  .object({
    name: field('vem', z.string(), { description: 'Name that is shown', readOnly }),
    public: field('ve', z.boolean(), { description: 'Whether everybody may see such rows', readOnly }),
    queryable: field('ve', z.boolean(), { description: 'Whether everybody may ask for such rows', readOnly }),
    slug: field('vem', z.string(), { description: 'Name of the status', readOnly }),
    date_floating: field('ve', z.boolean(), { description: 'Whether dates wait for publication', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'status' });

/** A kind of terms (`core/v2/taxonomies`). */
export const taxonomy = z
  .object({
    name: field('vem', z.string(), { description: 'Name that is shown', readOnly }),
    slug: field('vem', z.string(), { description: 'Name of the kind', readOnly }),
    description: field('ve', z.string(), { description: 'Description', readOnly }),
    types: field('ve', z.array(z.string()), { description: 'Kinds of content that carry it', readOnly }),
    hierarchical: field('ve', z.boolean(), { description: 'Whether terms have parents', readOnly }),
    rest_base: field('vem', z.string(), { description: 'Last segment of its collection', readOnly }),
    rest_namespace: field('vem', z.string(), { description: 'Namespace of its collection', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'taxonomy' });

/** What the site is set to (`core/v2/settings`). */
export const settings = z
  .object({
    title: z.string().meta({ description: 'Name of the site' }),
    description: z.string().meta({ description: 'What the site is about' }),
    url: z.string(),
    email: z.string(),
    timezone: z.string().meta({ description: 'Zone of its dates, by its IANA name' }),
    date_format: z.string(),
    time_format: z.string(),
    start_of_week: z.int(),
    language: z.string(),
    use_smilies: z.boolean(),
    default_category: z.int().meta({ description: 'Category of posts that are given none' }),
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

/** The settings that the origin keeps can be changed; the others are the same everywhere. */
export const { get: getSettings, update: updateSettings } = settingsRoutes({
  path: 'core/v2/settings',
  title: 'Settings of the site',
  settings,
  body: writeBody(settings, {
    title: wireText(MAX_NAME_LENGTH),
    description: wireText(MAX_NAME_LENGTH),
    timezone: z.string().refine(isTimeZone),
    default_category: wireInteger(),
  }),
});

/** The routes of a group of settings: reading all of them, and changing what is sent. */
export function settingsRoutes<const P extends string, S extends z.ZodObject, B extends z.ZodObject>(group: {
  path: P;
  /** What summaries call the group: `Settings of the site`. */
  title: string;
  settings: S;
  /** What of them may be changed. */
  body: B;
}) {
  const { path, title, settings, body } = group;
  return {
    get: route({ method: 'GET', path, summary: title, access: 'user', response: settings }),
    update: route({
      method: 'POST',
      also: ['PUT', 'PATCH'],
      path,
      summary: `Changes what is sent of: ${title}`,
      access: 'user',
      body,
      response: settings,
    }),
  };
}

export type SettingsRoutes = ReturnType<typeof settingsRoutes<string, z.ZodObject, z.ZodObject>>;
