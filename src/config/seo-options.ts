import { z } from 'zod';
import { languageCode } from '#contracts/product/index.ts';
import { SEPARATORS } from '#contracts/seo/fill-template.ts';
import { PAGE_KINDS, templateVariables, unknownVariables, type PageKind } from '#contracts/seo/page-kinds.ts';
import { webAddress } from './web-address.ts';

const text = z
  .string()
  .min(1, { error: 'is empty: leave it out instead' })
  .max(500, { error: 'has more than 500 characters' });

/** One for all languages, or by language, with or without region. */
const template = z.union([text, z.record(languageCode, text)], {
  error: 'is neither a text nor texts by language',
});

const pageTemplates = z.strictObject({ title: template.optional(), description: template.optional() });

const code = z.string().regex(/^[\w.=+/-]{4,200}$/, {
  error: 'is not the code alone: take what stands in `content` of the tag that the service gives you',
});

/** What search engines and previews are told of the site. */
export const seo = z.strictObject({
  /** Between the parts of a title. @default '·' */
  separator: z.enum(SEPARATORS).default('·'),
  /**
   * Titles and descriptions by kind of page: `{ product: { title: '%%title%% %%sep%% %%category%%' } }`. What has no
   * value is left out, with its separator. `PAGE_KINDS` lists the kinds, `templateVariables` what each of them knows.
   */
  templates: z
    .partialRecord(z.enum(PAGE_KINDS), pageTemplates)
    .default({})
    .superRefine((templates, context) => {
      for (const [kind, parts] of Object.entries(templates) as [PageKind, z.output<typeof pageTemplates>][])
        for (const [part, written] of Object.entries(parts))
          for (const name of textsOf(written).flatMap((one) => unknownVariables(kind, one)))
            context.addIssue({
              code: 'custom',
              path: [kind, part],
              message: `has the variable %%${name}%%, which such pages don't have; they have ${templateVariables(kind).join(', ')}`,
            });
    }),
  /** Codes by which services find out whose site this is; they stand on its home pages. */
  verification: z
    .strictObject({
      google: code.optional(),
      bing: code.optional(),
      yandex: code.optional(),
      baidu: code.optional(),
      pinterest: code.optional(),
      facebook: code.optional(),
      ahrefs: code.optional(),
    })
    .prefault({}),
  /** A WebSub hub that feeds name, and that `npm run announce` tells when they have changed. */
  hub: webAddress().optional(),
  /** Profiles of the maker elsewhere: `sameAs` of linked data. */
  profiles: z.array(webAddress()).default([]),
});

function textsOf(written: z.output<typeof template> | undefined): string[] {
  return typeof written === 'string' ? [written] : Object.values(written ?? {});
}
