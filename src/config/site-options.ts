import { z } from 'zod';
import { languageCode, PRODUCT_FIELDS, type Decimal } from '#contracts/product/index.ts';
import { FIELD_PLACES, FIELD_TYPES, sourceField } from '#contracts/product/product-fields.ts';
import { webAddress } from './web-address.ts';
import { contrastOf, MIN_CONTRAST, PAPER } from './contrast.ts';

/** One value for all languages, or values by language, with or without region. */
export const byLanguage = <Value extends z.ZodType<string>>(value: Value, expected: string) =>
  z.union([value, z.record(languageCode, value)], {
    error: `is neither ${expected} nor a record of these by language`,
  });

const projectFile = (ending: string) =>
  z.string().endsWith(ending, { error: `is not the path of a file such as "./src/own/name${ending}"` });

const publicFile = z.string().regex(/^\/[^/]/, { error: 'is not the path of a file in public/, such as "/logo.svg"' });

const accentOn = (ground: string) =>
  z
    .string()
    .regex(/^#[\da-f]{6}$/i, { error: 'is not a colour such as "#c93a0a"', abort: true })
    .refine((colour) => contrastOf(colour, ground) >= MIN_CONTRAST, {
      error: ({ input }) =>
        `has a contrast of ${contrastOf(String(input), ground)} on the background ${ground}; at least ${MIN_CONTRAST} is required`,
    });

/** Logo, icon, accent colour and font of the site. */
export const brand = z.strictObject({
  /** Logo in the header: a file in `public/`, or one for each colour scheme (`{ light, dark }`). */
  logo: z
    .union([publicFile, z.strictObject({ light: publicFile, dark: publicFile })], {
      error: 'is neither the path of a file in public/, such as "/logo.svg", nor `{ light, dark }` of such paths',
    })
    .transform((logo) => (typeof logo === 'string' ? { light: logo, dark: logo } : logo))
    .optional(),
  /** Shows the name of the site next to the logo. Turn it off if the logo contains the name. @default true */
  showsName: z.boolean().default(true),
  /** Icon of the site in browsers, a file in `public/`. @default '/favicon.svg' */
  icon: publicFile.default('/favicon.svg'),
  /** Colour of outlines, markers and share images, with a contrast of at least 4.5 on the background. */
  accent: z
    .strictObject({
      /** Also used on share images. @default '#c93a0a' */
      light: accentOn(PAPER.light).default('#c93a0a'),
      /** @default '#ff8b5c' */
      dark: accentOn(PAPER.dark).default('#ff8b5c'),
    })
    .prefault({}),
  /** Font of the pages instead of Instrument Sans. */
  font: z
    .strictObject({
      /** Name of the family. */
      name: z.string().min(1, { error: 'is empty' }),
      /**
       * Fonts, or style sheets with `@font-face`: of the project (`./src/own/sans.woff2`), or of an installed package
       * (`@fontsource-variable/inter/index.css`). Share images use those in TTF, OTF or WOFF.
       */
      files: z
        .array(
          z.string().regex(/\.(?:woff2?|ttf|otf|css)$/, {
            error: 'is not the path of a font (WOFF2, WOFF, TTF, OTF) or style sheet, such as "./src/own/sans.woff2"',
          }),
        )
        .min(1, { error: 'is empty: name a font' }),
    })
    .optional(),
});

/** Style sheets of the project (`./src/own/site.css`), which apply after those of Sortiment on every page. */
export const customCss = z.array(projectFile('.css')).default([]);

/**
 * Components of the project that replace those of Sortiment, by name: `{ ProductHead: './src/own/ProductHead.astro' }`.
 * They may import the original as `sortiment/components/product/ProductHead.astro`.
 */
export const components = z.record(z.string(), projectFile('.astro')).default({});

const sitePath = z.string().regex(/^\/(?!\/)/, {
  error: 'is neither a path such as "/de-de/about/" nor an http(s) address',
});

const links = z.array(
  z.strictObject({
    /** One text for all languages, or texts by language. */
    label: byLanguage(z.string().min(1), 'a text'),
    /** Path on this site, or URL. One for all languages, or by language. */
    link: byLanguage(z.union([sitePath, webAddress()]), 'a path such as "/de-de/about/" or a URL'),
  }),
);

/** Entries of the header and the footer. */
export const navigation = z.strictObject({
  header: z
    .strictObject({
      /** Standard entries to leave out; `pages` are the top-level pages of the publishing site. */
      hide: z.array(z.enum(['products', 'downloads', 'journal', 'podcast', 'pages', 'search'])).default([]),
      /** Further links: `{ label, link }`, both for all languages or by language (`{ de: …, en: … }`). */
      links: links.default([]),
    })
    .prefault({}),
  footer: z
    .strictObject({
      /** Standard entries to leave out; `pages` are local pages such as the imprint. */
      hide: z.array(z.enum(['downloads', 'norms', 'shortlist', 'data', 'pages', 'feed'])).default([]),
      /** Further links, as in the header. */
      links: links.default([]),
    })
    .prefault({}),
});

const isUnknownField = (name: string) => !(PRODUCT_FIELDS as readonly string[]).includes(name);
const KNOWN_FIELD = 'is a field of the product interface, which the site shows already';

const localizedText = byLanguage(z.string().min(1), 'a text');

/** A field of products that the product interface's document doesn't have. */
const productField = z
  .strictObject({
    /**
     * A `choice` is one of `values`; a `list` has several texts, or several of `values`. Numbers have a decimal point,
     * dates are ISO dates such as `2026-11-28`.
     */
    type: z.enum(FIELD_TYPES),
    /** Name on pages. One for all languages, or by language. */
    label: localizedText,
    /** Unit of a number: `kg`. */
    unit: z.string().min(1).max(20).optional(),
    /**
     * Values of a choice or list with their names: `{ red: { de: 'Rot', en: 'Red' } }`. The interface may send the key
     * or any of the names.
     */
    values: z
      .record(
        z.string().regex(/^[a-z\d]+(-[a-z\d]+)*$/, { error: 'is not a lower-case key such as "light-blue"' }),
        localizedText,
      )
      .optional(),
    /** Name of the field in the product interface, if it differs. */
    source: sourceField.refine(isUnknownField, { error: KNOWN_FIELD }).optional(),
    /** Places that show the field. Facets appear in the comparison, too. @default ['page'] */
    show: z.array(z.enum(FIELD_PLACES)).default(['page']),
  })
  .superRefine(({ type, unit, values, show }, context) => {
    const report = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const hasValues = type === 'choice' || type === 'list';
    if (unit !== undefined && type !== 'number') report('unit', 'is for the type "number" only');
    if (values && !hasValues) report('values', 'is for the types "choice" and "list" only');
    if (type === 'choice' && Object.keys(values ?? {}).length === 0) report('values', 'is missing: name the choices');
    if (show.includes('facets') && !(['number', 'boolean'].includes(type) || (hasValues && values)))
      report('show', `has "facets", which the type "${type}" can't be without \`values\``);
  });

export type ProductFieldOptions = z.output<typeof productField>;

const fieldName = sourceField
  .regex(/^[a-z][a-z\d_]{0,39}$/, { error: 'is not a lower-case name such as "roll_weight"' })
  .refine(isUnknownField, { error: KNOWN_FIELD });

const SECTIONS = ['use', 'values', 'processing', 'quantities', 'documents'] as const;

/** Product pages. */
export const product = z.strictObject({
  /** Sections in their order. Those left out aren't shown; the manufacturer always is. */
  sections: z
    .array(z.enum(SECTIONS))
    .refine((names) => new Set(names).size === names.length, { error: 'has a section twice' })
    .default([...SECTIONS]),
  /** Further fields of products by name. Values are those of the product interface or, first, of the overlays. */
  fields: z.record(fieldName, productField).default({}),
});

/** Options of the further fields of products, by name. */
export type ProductFields = z.output<typeof product>['fields'];

/** Type of the values of a field, for `getEntry('products', …)`. */
type ValueOf<Field> = Field extends { type: infer Type; values?: infer Values }
  ? Type extends 'number'
    ? Decimal
    : Type extends 'boolean'
      ? boolean
      : Type extends 'list'
        ? KeyOf<Values>[]
        : KeyOf<Values>
  : never;

type KeyOf<Values> = Values extends Readonly<Record<string, unknown>> ? Extract<keyof Values, string> : string;

/** Values of declared fields by name. Products may lack any of them. */
export type FieldValues<Fields> = {
  -readonly [Name in keyof Fields as string extends Name ? never : number extends Name ? never : Name]?:
    ValueOf<Fields[Name]> | undefined;
};

/** Kinds of pages. One that is turned off is neither built nor linked, and missing from search, sitemaps and feeds. */
export const pages = z.strictObject({
  /** Posts of the publishing site, with their archives and feeds. @default true */
  journal: z.boolean().default(true),
  /** Episodes of the publishing site, with their feeds. @default true */
  podcast: z.boolean().default(true),
  /** Comparison of the products of a family. @default true */
  compare: z.boolean().default(true),
  /** Lists of all documents. Product pages link their own anyway. @default true */
  downloads: z.boolean().default(true),
  /** Declared values by norm. @default true */
  norms: z.boolean().default(true),
  /** Description of the product data. The files of `shops` are written anyway. @default true */
  data: z.boolean().default(true),
  /** Search with its files, and lists of all names and numbers. @default true */
  search: z.boolean().default(true),
});
