import { z } from 'zod';
import { languageCode } from '#contracts/product/index.ts';
import { SEPARATORS } from '#contracts/seo/fill-template.ts';
import { PAGE_KINDS, templateVariables, unknownVariables, type PageKind } from '#contracts/seo/page-kinds.ts';
import { webAddress } from './web-address.ts';

const text = z
  .string()
  .min(1, { error: 'is empty: leave it out instead' })
  .max(500, { error: 'has more than 500 characters' });

/** One text for all languages, or texts by language, with or without region. */
const template = z.union([text, z.record(languageCode, text)], {
  error: 'is neither a text nor texts by language',
});

const pageTemplates = z.strictObject({ title: template.optional(), description: template.optional() });

const code = z.string().regex(/^[\w.=+/-]{4,200}$/, {
  error: 'is not the plain code: copy the value of `content` from the tag of the service',
});

/** Metadata for search engines and link previews. */
export const seo = z.strictObject({
  /** Separator between the parts of a title. @default '·' */
  separator: z.enum(SEPARATORS).default('·'),
  /**
   * Templates of titles and descriptions by page kind: `{ product: { title: '%%title%% %%sep%% %%category%%' } }`.
   * Variables without a value are omitted, with their separator. `PAGE_KINDS` lists the kinds, `templateVariables` the
   * variables of each.
   */
  templates: z
    .partialRecord(z.enum(PAGE_KINDS), pageTemplates)
    .default({})
    .superRefine((templates, context) => {
      for (const [kind, parts] of Object.entries(templates) as [PageKind, z.output<typeof pageTemplates>][])
        for (const [part, input] of Object.entries(parts))
          for (const name of textsOf(input).flatMap((value) => unknownVariables(kind, value)))
            context.addIssue({
              code: 'custom',
              path: [kind, part],
              message: `has the variable %%${name}%%, which these pages don't have; they have ${templateVariables(kind).join(', ')}`,
            });
    }),
  /** Verification codes of webmaster services, placed on the home pages. */
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
  /** WebSub hub named in feeds; `npm run announce` notifies it of changed feeds. */
  hub: webAddress().optional(),
  /** Profiles of the manufacturer on other sites: `sameAs` of structured data. */
  profiles: z.array(webAddress()).default([]),
});

function textsOf(input: z.output<typeof template> | undefined): string[] {
  return typeof input === 'string' ? [input] : Object.values(input ?? {});
}
