import { z } from 'zod';
import { languageCode } from '#contracts/product/index.ts';
import { metaOfSettings, SEPARATORS, seoSettings, seoSettingsBody } from '#contracts/seo/index.ts';

const settings = z.strictObject(seoSettingsBody.shape);
const byLanguage = z.record(languageCode, settings);
const templates = z.strictObject({ title: z.string(), description: z.string() });

/** What editors have set for the heads of the demo. */
export const demoSeo = z.strictObject({
  site: z.strictObject({
    company_name: z.string(),
    website_name: z.string(),
    separator: z.enum(SEPARATORS),
    templates: z.record(z.string(), templates),
  }),
  /** By key and language. */
  posts: z.record(z.string(), byLanguage),
  pages: z.record(z.string(), byLanguage),
  /** By slug. */
  categories: z.record(z.string(), settings),
});
export type DemoSeo = z.output<typeof demoSeo>;

/** Settings as meta values; none where nothing was set. */
export function demoMeta(given: z.output<typeof settings> | undefined): Record<string, string> {
  return metaOfSettings(seoSettings.parse(given ?? {}));
}
