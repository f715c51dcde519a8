import { isDeepStrictEqual } from 'node:util';
import { inArray } from 'drizzle-orm';
import { z } from 'zod';
import { siteOptions, type SiteOptions } from '#contracts/seo/index.ts';
import { announce } from '#origin/platform/events/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { keepSite, SITE_OPTION } from '#origin/platform/site/index.ts';
import { lockOption, retryTransaction, storeOption, type Transaction } from '#origin/platform/store/index.ts';
import { option } from '#origin/platform/store/schema.ts';

/** Option that stores what the extension knows of the site. */
export const SEO_OPTION = 'seo';

const text = z.string().catch('');
const flag = (usual: boolean) => z.boolean().catch(usual);
const id = z.int().catch(0);

/** Fields of the contract as they are stored, each with what counts where nothing or nothing readable is. */
function stored(shape: typeof siteOptions.shape, usual: SiteOptions) {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, (field as z.ZodType).catch(usual[name as keyof SiteOptions])]),
  ) as unknown as { [K in keyof SiteOptions]: z.ZodCatch<(typeof shape)[K]> };
}

/** What is stored. A value that can't be read counts as its default. */
const storedSeo = z.object({
  // Who stands behind the site.
  company_or_person: z.enum(['company', 'person']).catch('company'),
  company_name: text,
  website_name: text,
  company_logo: text,
  company_logo_id: id,
  person_logo: text,
  person_logo_id: id,
  company_or_person_user_id: id,
  facebook_site: text,
  /** A name at X, without the @. */
  twitter_site: text,
  other_social_urls: z.array(z.string()).catch([]),

  // What heads of all pages follow, as its route checks it.
  ...stored(siteOptions.shape, {
    separator: '-',
    templates: {},
    opengraph: true,
    twitter: true,
    og_default_image: '',
    og_default_image_id: 0,
    noindex_author: false,
    disable_author: false,
    avatars: false,
    company_alternate_name: '',
    alternate_website_name: '',
    verification: {},
    analyse_on_save: false,
  }),

  // Administration.
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
  /** When something was done first, as an ISO date, by its name. */
  first_times: z.record(z.string(), z.string()).catch({}),
});
export type SeoOptions = z.output<typeof storedSeo>;

/** Option that keeps since when the site itself is called what it is called. */
export const SITE_HEADS_OPTION = 'seo-site-heads';

/** What the extension knows of the site, read once a request, with the settings of the site and what `SITE_HEADS_OPTION` has. */
export function loadSeoOptions(call: Pick<AnyCall, 'context' | 'requestMemo'>): Promise<SeoOptions> {
  const { context, requestMemo } = call;
  return requestMemo.once(SEO_OPTION, async () => {
    const found = await context.store.db
      .select()
      .from(option)
      .where(inArray(option.name, [SEO_OPTION, SITE_HEADS_OPTION, SITE_OPTION]));
    const valueOf = (wanted: string) => found.find(({ name }) => name === wanted)?.value;
    keepSite(call, valueOf(SITE_OPTION));
    requestMemo.keep(SITE_HEADS_OPTION, valueOf(SITE_HEADS_OPTION));
    return storedSeo.parse(valueOf(SEO_OPTION) ?? {});
  });
}

/** Changes some of it in one transaction, and announces what readers of the site notice. A function is given what is stored. */
export async function changeSeoOptions(
  { context, requestMemo }: Pick<AnyCall, 'context' | 'requestMemo'>,
  values: Partial<SeoOptions> | ((stored: SeoOptions) => Partial<SeoOptions>),
): Promise<SeoOptions> {
  const changed = await retryTransaction(context.store.db, (tx) => writeSeoOptions(tx, values));
  requestMemo.keep(SEO_OPTION, changed);
  return changed;
}

/** The same in a transaction that is under way. */
export async function writeSeoOptions(
  tx: Transaction,
  values: Partial<SeoOptions> | ((stored: SeoOptions) => Partial<SeoOptions>),
): Promise<SeoOptions> {
  const stored = storedSeo.parse(await lockOption(tx, SEO_OPTION));
  const value = storedSeo.parse({ ...stored, ...(typeof values === 'function' ? values(stored) : values) });
  if (isDeepStrictEqual(value, stored)) return stored;
  await storeOption(tx, SEO_OPTION, value);
  if (!isDeepStrictEqual(noticedOptions(value), noticedOptions(stored)))
    await announce(tx, { what: 'settings', id: SEO_OPTION, action: 'updated' });
  return value;
}

/** What only editors and the origin itself notice: no reader of the site needs to hear of it. */
const HOUSEKEEPING: ReadonlySet<string> = new Set<keyof SeoOptions>([
  'analyse_on_save',
  'tracking',
  'toggled_tracking',
  'configuration_finished_steps',
  'first_time_install',
  'enable_llms_txt',
  'integrations',
  'keyword_service_country_code',
  'site_kit_dismissed',
  'site_kit_setup',
  'first_times',
]);

/** What heads are made of. */
export function noticedOptions(options: SeoOptions) {
  return Object.entries(options).filter(([name]) => !HOUSEKEEPING.has(name));
}
