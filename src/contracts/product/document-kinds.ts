import { z } from 'zod';
import { baseLanguage } from '../localized.ts';
import { MEDIA_FILES } from '../media-file.ts';
import { DOCUMENT_FIELDS, languageCode, PRODUCT_FIELDS, type DocumentField } from './index.ts';
import { sourceField, publicAddress } from './product-fields.ts';

/** File types of the kinds that have labels in all languages; other kinds have their labels in the configuration. */
const STANDARD_TYPES: Readonly<Record<string, readonly string[]>> = {
  epd: ['pdf'],
  dopc: ['pdf'],
  cad: ['dwg', 'dxf', 'step', 'stp'],
  bim: ['ifc', 'rvt', 'rfa'],
};

/** Types of files that a site may offer as documents, by extension. */
const FILE_TYPES = [...MEDIA_FILES.values()].filter(({ kind, isPlayed }) => kind !== 'image' && !isPlayed);

/** Names whose labels pages show for something else. */
const TAKEN: ReadonlySet<string> = new Set([...PRODUCT_FIELDS, 'family', 'format']);

/** Search files store the kinds of a product as digits. */
const MAX_KINDS = 10;

const kind = z
  .strictObject({
    /** Name in overlays, lists and feeds. `epd`, `dopc`, `cad` and `bim` have labels in all languages. */
    key: sourceField
      .regex(/^[a-z][a-z0-9_]{1,39}$/, { error: 'is not a name of lower-case letters, digits and underscores' })
      .refine((key) => !TAKEN.has(key), { error: 'is a name of a field that the site shows already' }),
    /** Labels by language. @default those of `epd`, `dopc`, `cad` and `bim` */
    labels: z.record(languageCode, z.string().min(1)).optional(),
    /** Field of the product interface with a URL or a list of URLs. `documents` of an overlay takes precedence. */
    field: sourceField.optional(),
    /** Extensions of the files. @default `cad`: dwg, dxf, step, stp; `bim`: ifc, rvt, rfa; other kinds: pdf */
    types: z
      .array(z.enum(FILE_TYPES.map(({ extension }) => extension)))
      .min(1)
      .optional(),
  })
  .superRefine(({ key, labels }, context) => {
    if (labels === undefined && !(key in STANDARD_TYPES))
      context.addIssue({ code: 'custom', path: ['labels'], message: `is missing: "${key}" has no standard labels` });
  })
  .transform(({ types, ...rest }): DocumentKind => ({ ...rest, types: types ?? STANDARD_TYPES[rest.key] ?? ['pdf'] }));

/** A kind of documents. */
export interface DocumentKind {
  key: string;
  labels?: Readonly<Record<string, string>> | undefined;
  field?: string | undefined;
  types: readonly string[];
}

const FIRST_KINDS: readonly DocumentKind[] = DOCUMENT_FIELDS.map((field) => ({ key: field, field, types: ['pdf'] }));

/** Kinds of documents in display order: those of the interface, then the configured ones. */
export const documentKinds = z
  .array(kind)
  .max(MAX_KINDS - FIRST_KINDS.length)
  .default([])
  .transform((kinds) => [...FIRST_KINDS, ...kinds])
  .refine((kinds) => new Set(kinds.map(({ key }) => key)).size === kinds.length, { error: 'has a kind twice' });

/** True for the kinds of the interface, which pages also name where a product has none. */
export function isDocumentField(key: string): key is DocumentField {
  return DOCUMENT_FIELDS.some((field) => field === key);
}

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Adds the labels of kinds to the texts of the site. Languages without texts are left out. */
export function withDocumentLabels(texts: Texts, kinds: readonly DocumentKind[]): Texts {
  const labelled: Record<string, Readonly<Record<string, string>>> = { ...texts };
  for (const { key, labels = {} } of kinds)
    for (const [language, label] of Object.entries(labels))
      if (language in texts || baseLanguage(language) in texts)
        labelled[language] = { ...labelled[language], [`field.${key}`]: label };
  return labelled;
}

export const PDF = 'application/pdf';

/** True for documents with text. A drawing or a model has no language. */
export function hasLanguage({ field, mimeType = PDF }: { field: string; mimeType?: string }): boolean {
  return isDocumentField(field) || mimeType === PDF;
}

/** Documents in an overlay: kind -> URL or URLs. */
export const overlayDocuments = z.record(z.string(), z.union([publicAddress, z.array(publicAddress)]));

export type OverlayDocuments = z.output<typeof overlayDocuments>;
