import { z } from 'zod';

/** Lower-case language and region, joined by a hyphen: `de-de`. The region is optional. */
export const languageCode = z
  .string()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/, { error: 'is not a lower-case language code such as "de-de"', abort: true })
  .refine((code) => isValidTag(code), { error: 'is not a language code by BCP 47, such as "de-de" or "zh-hant-tw"' });

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
 * Language list in all known forms: an array or a page of `results`, with codes or objects that carry the code as
 * `code`, `language`, `id` or `slug`.
 */
export const languagePage = z
  .union([
    z.array(looseLanguage).transform((results) => ({ results, count: undefined, next: undefined })),
    z.looseObject({
      results: z.array(looseLanguage),
      /** Number of languages on all pages. */
      count: z.int().optional().catch(undefined),
      /** URL of the next page. */
      next: z.string().nullish(),
    }),
  ])
  .transform(({ results, count, next }) => ({ results: withName(results), count, next: next || undefined }));

export type LanguagePage = z.output<typeof languagePage>;

/** Converts a code to a BCP 47 tag for `lang`, `hreflang` and `Intl`: `de-de` -> `de-DE`. */
export function toBcp47(code: string): string {
  const cached = tags.get(code);
  if (cached !== undefined) return cached;
  const tag = Intl.getCanonicalLocales(code)[0] ?? code;
  tags.set(code, tag);
  return tag;
}

/** True if `Intl` accepts the code. */
function isValidTag(code: string): boolean {
  try {
    return toBcp47(code) !== '';
  } catch {
    return false;
  }
}

/** Cache of tags: each page needs dozens, and `Intl` is slow. */
const tags = new Map<string, string>();

/** Returns the name of a language in that language: `de-de` -> `Deutsch (Deutschland)`. */
export function languageName(code: string): string {
  return (
    new Intl.DisplayNames([toBcp47(code)], { type: 'language', languageDisplay: 'standard' }).of(toBcp47(code)) ?? code
  );
}
