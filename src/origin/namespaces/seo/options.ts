import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { siteOptions } from '#contracts/seo/settings.ts';
import { announce } from '#origin/platform/events/announce.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import { lockOption, readOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/query-errors.ts';

/** Option that stores the SEO settings of the site. */
export const SEO_OPTION = 'seo';

const text = z.string().catch('');
const flag = (fallback: boolean) => z.boolean().catch(fallback);
const id = z.int().catch(0);

const { shape } = siteOptions;

/** Settings of the administration, which don't affect public output. */
const administration = {
  tracking: z.boolean().nullable().catch(null),
  toggled_tracking: flag(false),
  configuration_finished_steps: z.array(z.string()).catch([]),
  first_time_install: flag(false),
  enable_llms_txt: flag(false),
  integrations: z
    .object({ keyword_service: flag(true), rank_tracker: flag(true), site_search: flag(false) })
    .catch({ keyword_service: true, rank_tracker: true, site_search: false }),
  keyword_service_country_code: z.string().catch('us'),
  site_kit_dismissed: flag(false),
  site_kit_setup: z.record(z.string(), z.string()).catch({}),
  /** ISO date of the first occurrence by action name. */
  first_times: z.record(z.string(), z.string()).catch({}),
};

/** Stored settings. Invalid values are replaced by their defaults. */
const storedSeo = z.object({
  // Publisher of the site.
  company_or_person: z.enum(['company', 'person']).catch('company'),
  company_name: text,
  website_name: text,
  company_logo: text,
  company_logo_id: id,
  person_logo: text,
  person_logo_id: id,
  company_or_person_user_id: id,
  facebook_site: text,
  /** X (Twitter) handle without the @. */
  twitter_site: text,
  other_social_urls: z.array(z.string()).catch([]),

  // Settings for the heads of all pages, validated by their route.
  separator: shape.separator.catch('-'),
  templates: shape.templates.catch({}),
  opengraph: shape.opengraph.catch(true),
  twitter: shape.twitter.catch(true),
  og_default_image: shape.og_default_image.catch(''),
  og_default_image_id: shape.og_default_image_id.catch(0),
  noindex_author: shape.noindex_author.catch(false),
  disable_author: shape.disable_author.catch(false),
  avatars: shape.avatars.catch(false),
  company_alternate_name: shape.company_alternate_name.catch(''),
  alternate_website_name: shape.alternate_website_name.catch(''),
  verification: shape.verification.catch({}),
  analyse_on_save: shape.analyse_on_save.catch(false),
  ...administration,
});
export type SeoOptions = z.output<typeof storedSeo>;

/** Loads the SEO settings, once between two writes. */
export function loadSeoOptions({ context: { store } }: Pick<AnyCall, 'context'>): Promise<SeoOptions> {
  return store.writes.once(SEO_OPTION, async () => storedSeo.parse(await readOption(store.db, SEO_OPTION)));
}

/** New values; undefined ones don't change. A function receives the stored settings. */
type Changes = { [K in keyof SeoOptions]?: SeoOptions[K] | undefined };
type SeoOptionsUpdate = Changes | ((stored: SeoOptions) => Changes);

/** Changes settings in a transaction and announces public changes. */
export function updateSeoOptions({ context }: Pick<AnyCall, 'context'>, values: SeoOptionsUpdate): Promise<SeoOptions> {
  return retryTransaction(context.store.db, (tx) => writeSeoOptions(tx, values));
}

/** Changes settings in an existing transaction. */
export async function writeSeoOptions(tx: Transaction, values: SeoOptionsUpdate): Promise<SeoOptions> {
  const stored = storedSeo.parse(await lockOption(tx, SEO_OPTION));
  const changes = Object.entries(typeof values === 'function' ? values(stored) : values);
  const value = storedSeo.parse({
    ...stored,
    ...Object.fromEntries(changes.filter(([, changed]) => changed !== undefined)),
  });
  if (isDeepStrictEqual(value, stored)) return stored;
  await storeOption(tx, SEO_OPTION, value);
  if (!isDeepStrictEqual(publicOptions(value), publicOptions(stored)))
    await announce(tx, { what: 'settings', id: SEO_OPTION, action: 'updated' });
  return value;
}

/** Settings whose changes are not announced. */
const INTERNAL_OPTIONS: ReadonlySet<string> = new Set(['analyse_on_save', ...Object.keys(administration)]);

export function publicOptions(options: SeoOptions) {
  return Object.entries(options).filter(([name]) => !INTERNAL_OPTIONS.has(name));
}
