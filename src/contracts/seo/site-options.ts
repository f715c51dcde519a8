import { z } from 'zod';
import { clearableAddress } from '../podcast/shared-schemas.ts';
import { route } from '../route.ts';
import { wireBoolean, wireInteger, wireText } from '../wire.ts';
import { SEPARATORS } from './fill-template.ts';
import { ARTICLE_TYPES, MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH, PAGE_TYPES } from './head-values.ts';

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

const title = wireText(MAX_TITLE_LENGTH);
const text = wireText(MAX_DESCRIPTION_LENGTH);

/** Templates of a page kind; empty texts select the built-in ones. */
const kindTemplates = z
  .strictObject({
    title,
    description: text,
    social_title: title,
    social_description: text,
    noindex: z.boolean().meta({ description: 'Whether pages of this kind are hidden from search engines' }),
    page_type: z.enum(['', ...PAGE_TYPES]),
    article_type: z.enum(['', ...ARTICLE_TYPES]),
  })
  .partial();

/** SEO options of the site. */
export const siteOptions = z.object({
  separator: z.enum(SEPARATORS).meta({ description: 'Separator between the parts of a title' }),
  templates: z.record(z.string().regex(/^[\w-]{1,60}$/), kindTemplates).meta({
    description:
      'Templates by type of content, taxonomy, `archive-<type>`, or `home`, `author`, `date`, `search`, `404`; a sent kind is replaced as a whole',
  }),
  opengraph: wireBoolean.meta({ description: 'Whether to output Open Graph metadata' }),
  twitter: wireBoolean.meta({ description: 'Whether to output metadata for X' }),
  og_default_image: clearableAddress.meta({ description: 'URL of the default image' }),
  og_default_image_id: wireInteger({ minimum: 0 }).meta({ description: 'Media item of the default image; 0 for none' }),
  noindex_author: wireBoolean.meta({ description: 'Whether author pages are hidden from search engines' }),
  disable_author: wireBoolean.meta({ description: 'Whether author pages are disabled' }),
  avatars: wireBoolean.meta({
    description: 'Whether to output avatars from a service that identifies users by a hash of their e-mail address',
  }),
  company_alternate_name: title.meta({ description: 'Another name of the company' }),
  alternate_website_name: title.meta({ description: 'Another name of the site' }),
  verification: z
    .partialRecord(z.enum(VERIFICATION_KEYS), wireText(200))
    .meta({ description: 'Verification codes by tag name' }),
  analyse_on_save: wireBoolean.meta({
    description: 'Whether to analyse all content on saving; otherwise only content analysed before',
  }),
});
export type SiteOptions = z.output<typeof siteOptions>;

const PATH = 'seo/v1/options';

/**
 * Returns the SEO options of the site. An extension of the interface: on other servers, options are only accessible in
 * their own admin pages.
 */
export const getSiteOptions = route({
  method: 'GET',
  path: PATH,
  summary: 'SEO options of the site',
  access: 'user',
  response: siteOptions,
});

export const updateSiteOptions = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: PATH,
  summary: 'Updates the SEO options of the site',
  access: 'user',
  body: siteOptions.partial(),
  response: siteOptions,
});
