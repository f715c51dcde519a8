import { z } from 'zod';
import { clearableAddress } from '../podcast/web-address.ts';
import { route } from '../route.ts';
import { wireBoolean, wireInteger, wireText } from '../wire.ts';
import { SEPARATORS } from './fill-template.ts';
import { ARTICLE_TYPES, MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH, PAGE_TYPES } from './head-values.ts';

/** Codes with which owners show services that a site is theirs: key of the head -> name of the tag. */
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

/** What pages of one kind say where editors have said nothing; empty texts are the built-in ones. */
const kindTemplates = z
  .strictObject({
    title,
    description: text,
    social_title: title,
    social_description: text,
    noindex: z.boolean().meta({ description: 'Whether search engines are kept from pages of the kind' }),
    page_type: z.enum(['', ...PAGE_TYPES]),
    article_type: z.enum(['', ...ARTICLE_TYPES]),
  })
  .partial();

/** What the heads of all pages follow. */
export const siteOptions = z.object({
  separator: z.enum(SEPARATORS).meta({ description: 'Sign between the parts of a title' }),
  templates: z.record(z.string().regex(/^[\w-]{1,60}$/), kindTemplates).meta({
    description:
      'Templates by type of content, taxonomy, `archive-<type>`, or `home`, `author`, `date`, `search`, `404`; what is sent replaces that of its kinds',
  }),
  opengraph: wireBoolean.meta({ description: 'Whether pages say what is shown of them when they are shared' }),
  twitter: wireBoolean.meta({ description: 'Whether pages say what X shows of them' }),
  og_default_image: clearableAddress.meta({ description: 'Address of the picture of pages without one' }),
  og_default_image_id: wireInteger({ minimum: 0 }).meta({ description: 'Media item of that picture, 0 for none' }),
  noindex_author: wireBoolean.meta({ description: 'Whether search engines are kept from the pages of authors' }),
  disable_author: wireBoolean.meta({ description: 'Whether authors have no pages' }),
  avatars: wireBoolean.meta({
    description:
      'Whether heads show pictures of people from a service that knows them by a hash of their e-mail address',
  }),
  company_alternate_name: title.meta({ description: 'Another name of the company' }),
  alternate_website_name: title.meta({ description: 'Another name of the site' }),
  verification: z
    .partialRecord(z.enum(VERIFICATION_KEYS), wireText(200))
    .meta({ description: 'Codes for search engines, by the name of the tag' }),
  analyse_on_save: wireBoolean.meta({
    description: 'Whether all content is analysed when it is written; else what was analysed before',
  }),
});
export type SiteOptions = z.output<typeof siteOptions>;

const PATH = 'seo/v1/options';

/** An addition of ours: other servers have these on their own pages only. */
export const getSiteOptions = route({
  method: 'GET',
  path: PATH,
  summary: 'What the heads of all pages follow',
  access: 'user',
  response: siteOptions,
});

export const updateSiteOptions = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: PATH,
  summary: 'Changes what is sent of what the heads of all pages follow',
  access: 'user',
  body: siteOptions.partial(),
  response: siteOptions,
});
