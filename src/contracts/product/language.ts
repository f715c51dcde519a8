import { z } from 'zod';

/** Lower-case language and region joined by a hyphen: `de-de`. A bare language is accepted. */
export const languageCode = z
  .string()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/, { error: 'is not a lower-case language code such as "de-de"', abort: true })
  .refine((code) => isTag(code), { error: 'is not a language code by BCP 47, such as "de-de" or "zh-hant-tw"' });

export const language = z.object({
  code: languageCode.meta({ description: 'Code to send as `language`' }),
  name: z.string().meta({ description: 'Name of the language in that language' }),
});

export type Language = z.infer<typeof language>;

const namedCode = z.object({ code: languageCode, name: z.string().optional() });

const looseLanguage = z.preprocess((wire) => {
  if (typeof wire === 'string') return { code: wire };
  if (typeof wire !== 'object' || wire === null) return wire;
  const { code, language: named, id, slug, name } = wire as Record<string, unknown>;
  return { code: code ?? named ?? id ?? slug, name };
}, namedCode);

const withName = (list: readonly z.output<typeof namedCode>[]): Language[] =>
  list.map(({ code, name }) => ({ code, name: name ?? languageName(code) }));

/**
 * The language list as servers write it: a bare array or one page of `results`, of codes or of objects that carry the
 * code as `code`, `language`, `id` or `slug`. The seed shows none of it, so all are read.
 */
export const languagePage = z
  .union([
    z.array(looseLanguage).transform((results) => ({ results, count: undefined, next: undefined })),
    z.looseObject({
      results: z.array(looseLanguage),
      /** Of all pages together. */
      count: z.int().optional().catch(undefined),
      /** Address of the next page. */
      next: z.string().nullish(),
    }),
  ])
  .transform(({ results, count, next }) => ({ results: withName(results), count, next: next || undefined }));

export type LanguagePage = z.output<typeof languagePage>;

/** `de-de` -> `de-DE`, for `lang` attributes, `hreflang` and `Intl`. */
export function toBcp47(code: string): string {
  const known = tags.get(code);
  if (known !== undefined) return known;
  const tag = Intl.getCanonicalLocales(code)[0] ?? code;
  tags.set(code, tag);
  return tag;
}

/** Formats of numbers and dates are made by it, and throw for any other. */
function isTag(code: string): boolean {
  try {
    return toBcp47(code) !== '';
  } catch {
    return false;
  }
}

/** Asked for dozens of times on each page, and `Intl` is dear. */
const tags = new Map<string, string>();

/** The language's own name for itself: `de-de` -> `Deutsch (Deutschland)`. */
export function languageName(code: string): string {
  return (
    new Intl.DisplayNames([toBcp47(code)], { type: 'language', languageDisplay: 'standard' }).of(toBcp47(code)) ?? code
  );
}
