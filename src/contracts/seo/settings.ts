import { z } from 'zod';
import { errorsOf } from '../errors.ts';
import { clearableAddress } from '../podcast/web-address.ts';
import { route } from '../route.ts';
import { wireBoolean, wireInteger, wireText } from '../wire.ts';
import {
  ARTICLE_TYPES,
  MAX_DESCRIPTION_LENGTH,
  MAX_KEYPHRASE_LENGTH,
  MAX_TITLE_LENGTH,
  PAGE_TYPES,
} from './head-values.ts';

const line = wireText(MAX_TITLE_LENGTH).default('');
const lines = wireText(MAX_DESCRIPTION_LENGTH).default('');
const address = clearableAddress.default('');
const flag = wireBoolean.default(false);
const score = wireInteger({ minimum: 0, maximum: 100 }).default(0);
const id = wireInteger({ minimum: 0 }).default(0);

/**
 * What editors decide about the head of one thing: a post, a page, another kind of content, a term or a user. What is
 * empty follows the templates and defaults of the site.
 */
export const seoSettings = z
  .object({
    focus_keyphrase: wireText(MAX_KEYPHRASE_LENGTH).default('').meta({ description: 'What readers should find it by' }),
    title: line.meta({ description: 'Title of the page; may hold variables such as %%sitename%%' }),
    description: lines.meta({ description: 'Description for search results; may hold variables' }),
    index: z
      .enum(['default', 'index', 'noindex'])
      .default('default')
      .meta({ description: 'Whether search engines may list it; the default is that of its kind' }),
    nofollow: flag.meta({ description: 'Whether search engines should not follow its links' }),
    noimageindex: flag.meta({ description: 'Whether its pictures should not be found' }),
    noarchive: flag.meta({ description: 'Whether no copy of it should be shown' }),
    nosnippet: flag.meta({ description: 'Whether results should show nothing of its text' }),
    canonical: address.meta({ description: 'Address that stands for this one' }),
    redirect: address.meta({ description: 'Address that visitors are sent to instead' }),
    breadcrumb_title: line.meta({ description: 'Its name in breadcrumb trails' }),
    is_cornerstone: flag.meta({ description: 'Whether it is one of the most important texts of the site' }),
    og_title: line.meta({ description: 'Title when it is shared' }),
    og_description: lines.meta({ description: 'Description when it is shared' }),
    og_image: address.meta({ description: 'Address of the picture when it is shared' }),
    og_image_id: id.meta({ description: 'Media item that the picture is; 0 for none' }),
    twitter_title: line.meta({ description: 'Title on X, where it differs' }),
    twitter_description: lines.meta({ description: 'Description on X, where it differs' }),
    twitter_image: address.meta({ description: 'Address of the picture on X, where it differs' }),
    twitter_image_id: id.meta({ description: 'Media item that this picture is; 0 for none' }),
    page_type: z
      .enum(['', ...PAGE_TYPES])
      .default('')
      .meta({ description: 'What kind of page it is, in the words of schema.org' }),
    article_type: z
      .enum(['', ...ARTICLE_TYPES])
      .default('')
      .meta({ description: 'What kind of article it is; None for no article' }),
    primary_category: id.meta({ description: 'The category that its breadcrumb trail leads through; 0 for the first' }),
    reading_minutes: wireInteger({ minimum: 0, maximum: 10_000 })
      .default(0)
      .meta({ description: 'How long reading takes; 0 for unknown' }),
    seo_score: score.meta({ description: 'Score of the text for its keyphrase, 0 where it was not analysed' }),
    readability_score: score.meta({ description: 'Score of how well it reads, 0 where it was not analysed' }),
    inclusive_language_score: score.meta({ description: 'Score of inclusive language' }),
    title_score: score.meta({ description: 'Score of the title' }),
    description_score: score.meta({ description: 'Score of the description' }),
  })
  .meta({ title: 'seo-settings' });

export type SeoSettings = z.output<typeof seoSettings>;
export type SeoSetting = keyof SeoSettings;

/** What nobody has written anything for. */
export const NO_SEO_SETTINGS: Readonly<SeoSettings> = seoSettings.parse({});

/** Keys of meta that settings are stored under and that servers of this interface share. */
export const SEO_META_KEYS = {
  focus_keyphrase: '_seo_focuskw',
  title: '_seo_title',
  description: '_seo_metadesc',
  index: '_seo_meta-robots-noindex',
  nofollow: '_seo_meta-robots-nofollow',
  noimageindex: '_seo_meta-robots-adv',
  noarchive: '_seo_meta-robots-adv',
  nosnippet: '_seo_meta-robots-adv',
  canonical: '_seo_canonical',
  redirect: '_seo_redirect',
  breadcrumb_title: '_seo_bctitle',
  is_cornerstone: '_seo_is_cornerstone',
  og_title: '_seo_opengraph-title',
  og_description: '_seo_opengraph-description',
  og_image: '_seo_opengraph-image',
  og_image_id: '_seo_opengraph-image-id',
  twitter_title: '_seo_twitter-title',
  twitter_description: '_seo_twitter-description',
  twitter_image: '_seo_twitter-image',
  twitter_image_id: '_seo_twitter-image-id',
  page_type: '_seo_schema_page_type',
  article_type: '_seo_schema_article_type',
  primary_category: '_seo_primary_category',
  reading_minutes: '_seo_estimated-reading-time-minutes',
  seo_score: '_seo_linkdex',
  readability_score: '_seo_content_score',
  inclusive_language_score: '_seo_inclusive_language_score',
  title_score: '_seo_seo_title_score',
  description_score: '_seo_meta_description_score',
} as const satisfies Record<SeoSetting, string>;

/** Keys of what an analysis finds out: nobody has written these. */
export const ANALYSIS_META_KEYS: readonly string[] = [
  SEO_META_KEYS.seo_score,
  SEO_META_KEYS.readability_score,
  SEO_META_KEYS.title_score,
  SEO_META_KEYS.description_score,
  SEO_META_KEYS.reading_minutes,
];

const INDEX_CODES = { default: '0', noindex: '1', index: '2' } as const;
const ADVANCED = ['noimageindex', 'noarchive', 'nosnippet'] as const;

/** The settings that meta values say. A value that is none of its kind counts as empty. */
export function settingsOfMeta(meta: Readonly<Record<string, string>>): SeoSettings {
  const advanced = new Set((meta[SEO_META_KEYS.nosnippet] ?? '').split(','));
  const settings: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(seoSettings.shape)) {
    const setting = name as SeoSetting;
    const stored = meta[SEO_META_KEYS[setting]];
    if (stored === undefined || stored === '') continue;
    const read = schema.safeParse(readMeta(setting, stored, advanced));
    if (read.success) settings[setting] = read.data;
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

/** The meta values that settings are stored as; those that say nothing are left out. */
export function metaOfSettings(settings: SeoSettings): Record<string, string> {
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
    .meta({ description: 'Type of content such as `post`, taxonomy such as `category`, or `user`' }),
  id: wireInteger({ minimum: 1 }).meta({ description: 'Id of the thing' }),
});
const errors = errorsOf({ rest_not_found: 404 })('rest_not_found');

/** All settings of one thing, with the kind of thing and its id. */
export const seoSettingsAnswer = seoSettings
  .extend({ type: z.string(), id: z.int() })
  .meta({ title: 'seo-settings-of' });

/** An addition of ours: other servers of the interface have settings only where editors' programs put them. */
export const getSeoSettings = route({
  method: 'GET',
  path: PATH,
  summary: 'What editors have set for the head of one thing',
  access: 'user',
  params,
  errors,
  response: seoSettingsAnswer,
});

/** What is sent changes, the rest stays; an empty text removes a setting. */
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

export const updateSeoSettings = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: PATH,
  summary: 'Changes what is sent of the settings of one thing',
  access: 'user',
  params,
  body: seoSettingsBody,
  errors,
  response: seoSettingsAnswer,
});
