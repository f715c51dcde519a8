import metaKeys from './meta-keys.json' with { type: 'json' };
import { z } from 'zod';
import { readRoute, updateRoute } from '../route.ts';
import { clearableAddress, NOT_FOUND } from '../podcast/shared-schemas.ts';
import {
  ARTICLE_TYPES,
  MAX_DESCRIPTION_LENGTH,
  MAX_KEYPHRASE_LENGTH,
  MAX_TITLE_LENGTH,
  PAGE_TYPES,
} from './head-values.ts';
import { SEPARATORS } from './templates.ts';
import { wireBoolean, wireInteger, wireText } from '../wire.ts';

const line = wireText(MAX_TITLE_LENGTH).default('');
const lines = wireText(MAX_DESCRIPTION_LENGTH).default('');
const address = clearableAddress.default('');
const flag = wireBoolean.default(false);
const score = wireInteger({ minimum: 0, maximum: 100 }).default(0);
const id = wireInteger({ minimum: 0 }).default(0);

/**
 * SEO settings of a post, page, other content, term or user. Empty values fall back to the templates and defaults of
 * the site.
 */
export const seoSettings = z
  .object({
    focus_keyphrase: wireText(MAX_KEYPHRASE_LENGTH).default('').describe('Focus keyphrase'),
    title: line.describe('Title of the page; may hold variables such as %%sitename%%'),
    description: lines.describe('Description for search results; may hold variables'),
    index: z
      .enum(['default', 'index', 'noindex'])
      .default('default')
      .describe('Whether search engines may index the page; by default as for its type'),
    nofollow: flag.describe('Whether to forbid following links'),
    noimageindex: flag.describe('Whether to forbid indexing images'),
    noarchive: flag.describe('Whether to forbid cached copies'),
    nosnippet: flag.describe('Whether to forbid snippets'),
    canonical: address.describe('Canonical URL'),
    redirect: address.describe('Redirect URL'),
    breadcrumb_title: line.describe('Title in breadcrumbs'),
    is_cornerstone: flag.describe('Whether this is cornerstone content'),
    og_title: line.describe('Title for shared links'),
    og_description: lines.describe('Description for shared links'),
    og_image: address.describe('Image URL for shared links'),
    og_image_id: id.describe('Media item of the image; 0 for none'),
    twitter_title: line.describe('Title for X, if different'),
    twitter_description: lines.describe('Description for X, if different'),
    twitter_image: address.describe('Image URL for X, if different'),
    twitter_image_id: id.describe('Media item of the image for X; 0 for none'),
    page_type: z
      .enum(['', ...PAGE_TYPES])
      .default('')
      .describe('Page type of schema.org'),
    article_type: z
      .enum(['', ...ARTICLE_TYPES])
      .default('')
      .describe('Article type of schema.org; None for no article'),
    primary_category: id.describe('Category for breadcrumbs; 0 for the first one'),
    reading_minutes: wireInteger({ minimum: 0, maximum: 10_000 })
      .default(0)
      .describe('Reading time in minutes; 0 if unknown'),
    seo_score: score.describe('SEO score; 0 if not analysed'),
    readability_score: score.describe('Readability score; 0 if not analysed'),
    inclusive_language_score: score.describe('Inclusive language score'),
    title_score: score.describe('Score of the title'),
    description_score: score.describe('Score of the description'),
  })
  .meta({ title: 'seo-settings' });

export type SeoSettings = z.output<typeof seoSettings>;
export type SeoSetting = keyof SeoSettings;

/** Settings without any values. */
export const NO_SEO_SETTINGS: Readonly<SeoSettings> = seoSettings.parse({});

/** Meta keys of settings, common to servers of this interface. */
export const SEO_META_KEYS: Readonly<Record<SeoSetting, string>> = metaKeys;

/** Meta key of the modification time of the text that was last analysed. */
export const ANALYSED_KEY = '_seo_analysed';

/** Meta keys of analysis results, which editors don't write. */
export const ANALYSIS_META_KEYS: readonly string[] = [
  ANALYSED_KEY,
  SEO_META_KEYS.seo_score,
  SEO_META_KEYS.readability_score,
  SEO_META_KEYS.title_score,
  SEO_META_KEYS.description_score,
  SEO_META_KEYS.reading_minutes,
];

const INDEX_CODES = { default: '0', noindex: '1', index: '2' } as const;
const ADVANCED = ['noimageindex', 'noarchive', 'nosnippet'] as const;

/** Parses settings from meta values. Invalid values count as empty. */
export function parseSettingsMeta(meta: Readonly<Record<string, string>>): SeoSettings {
  const advanced = new Set((meta[SEO_META_KEYS.nosnippet] ?? '').split(','));
  const settings: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(seoSettings.shape)) {
    const setting = name as SeoSetting;
    const stored = meta[SEO_META_KEYS[setting]];
    if (stored === undefined || stored === '') continue;
    const parsed = schema.safeParse(readMeta(setting, stored, advanced));
    if (parsed.success) settings[setting] = parsed.data;
  }
  return seoSettings.parse(settings);
}

function readMeta(setting: SeoSetting, stored: string, advanced: ReadonlySet<string>): unknown {
  if (setting === 'index') return Object.entries(INDEX_CODES).find(([, code]) => code === stored)?.[0];
  return isAdvanced(setting) ? advanced.has(setting) : stored;
}

function isAdvanced(setting: SeoSetting): setting is (typeof ADVANCED)[number] {
  return ADVANCED.some((name) => name === setting);
}

/** Converts settings to meta values, without default values. */
export function toSettingsMeta(settings: SeoSettings): Record<string, string> {
  const meta: Record<string, string> = {};
  for (const [name, value] of Object.entries(settings)) {
    const setting = name as SeoSetting;
    if (value === NO_SEO_SETTINGS[setting]) continue;
    meta[SEO_META_KEYS[setting]] = writeMeta(setting, value, settings);
  }
  return meta;
}

function writeMeta(setting: SeoSetting, value: string | number | boolean, settings: SeoSettings): string {
  if (setting === 'index') return INDEX_CODES[settings.index];
  if (isAdvanced(setting)) return ADVANCED.filter((name) => settings[name]).join(',');
  return typeof value === 'boolean' ? '1' : String(value);
}

const PATH = 'seo/v1/settings/<type>/<id>';
const params = z.object({
  type: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,39}$/)
    .describe('Type of content such as `post`, taxonomy such as `category`, or `user`'),
  id: wireInteger({ minimum: 1 }).describe('Id of the object'),
});

/** All settings of an object, with its type and id. */
export const seoSettingsResponse = seoSettings
  .extend({ type: z.string(), id: z.int() })
  .meta({ title: 'seo-settings-of' });

/**
 * Returns the SEO settings of an object. An extension of the interface: on other servers, settings are only accessible
 * through editors.
 */
export const getSeoSettings = readRoute(PATH, 'user', {
  summary: 'SEO settings of an object',
  params,
  errors: NOT_FOUND,
  response: seoSettingsResponse,
});

/** Body of a partial update; an empty text removes a setting. */
export const seoSettingsBody = z.object(
  Object.fromEntries(
    Object.entries(seoSettings.shape).map(([name, schema]) => [
      name,
      schema
        .unwrap()
        .optional()
        .meta(schema.meta() ?? {}),
    ]),
  ) as { [K in SeoSetting]: z.ZodOptional<ReturnType<(typeof seoSettings.shape)[K]['unwrap']>> },
);

export const updateSeoSettings = updateRoute(PATH, {
  summary: 'Updates the SEO settings of an object',
  params,
  body: seoSettingsBody,
  errors: NOT_FOUND,
  response: seoSettingsResponse,
});

/** Verification codes of search engines: key in JSON -> name of the tag. */
export const VERIFICATION_TAGS = {
  ahrefs_site_verification: 'ahrefs-site-verification',
  baidu_site_verification: 'baidu-site-verification',
  'msvalidate.01': 'msvalidate.01',
  google_site_verification: 'google-site-verification',
  p_domain_verify: 'p:domain_verify',
  yandex_verification: 'yandex-verification',
} as const;
export type VerificationKey = keyof typeof VERIFICATION_TAGS;
export const VERIFICATION_KEYS = Object.keys(VERIFICATION_TAGS) as [VerificationKey, ...VerificationKey[]];

/** Templates of a page kind; empty texts select the built-in ones. */
const kindTemplates = z
  .strictObject({
    title: wireText(MAX_TITLE_LENGTH),
    description: wireText(MAX_DESCRIPTION_LENGTH),
    social_title: wireText(MAX_TITLE_LENGTH),
    social_description: wireText(MAX_DESCRIPTION_LENGTH),
    noindex: z.boolean().describe('Whether pages of this kind are hidden from search engines'),
    page_type: z.enum(['', ...PAGE_TYPES]),
    article_type: z.enum(['', ...ARTICLE_TYPES]),
  })
  .partial();

/** SEO options of the site. */
export const siteOptions = z.object({
  separator: z.enum(SEPARATORS).describe('Separator between the parts of a title'),
  templates: z
    .record(z.string().regex(/^[\w-]{1,60}$/), kindTemplates)
    .describe(
      'Templates by type of content, taxonomy, `archive-<type>`, or `home`, `author`, `date`, `search`, `404`; a sent kind is replaced as a whole',
    ),
  opengraph: wireBoolean.describe('Whether to output Open Graph metadata'),
  twitter: wireBoolean.describe('Whether to output metadata for X'),
  og_default_image: clearableAddress.describe('URL of the default image'),
  og_default_image_id: wireInteger({ minimum: 0 }).describe('Media item of the default image; 0 for none'),
  noindex_author: wireBoolean.describe('Whether author pages are hidden from search engines'),
  disable_author: wireBoolean.describe('Whether author pages are disabled'),
  avatars: wireBoolean.describe(
    'Whether to output avatars from a service that identifies users by a hash of their e-mail address',
  ),
  company_alternate_name: wireText(MAX_TITLE_LENGTH).describe('Another name of the company'),
  alternate_website_name: wireText(MAX_TITLE_LENGTH).describe('Another name of the site'),
  verification: z.partialRecord(z.enum(VERIFICATION_KEYS), wireText(200)).describe('Verification codes by tag name'),
  analyse_on_save: wireBoolean.describe(
    'Whether to analyse all content on saving; otherwise only content analysed before',
  ),
});

/**
 * Returns the SEO options of the site. An extension of the interface: on other servers, options are only accessible in
 * their own admin pages.
 */
export const getSiteOptions = readRoute('seo/v1/options', 'user', {
  summary: 'SEO options of the site',
  response: siteOptions,
});

export const updateSiteOptions = updateRoute('seo/v1/options', {
  summary: 'Updates the SEO options of the site',
  body: siteOptions.partial(),
  response: siteOptions,
});
