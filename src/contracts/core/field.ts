import { z } from 'zod';
import { isMap } from '../parse-value.ts';
import { wireBoolean, wireNumber, tooLong } from '../wire.ts';

type Forms = Record<string, z.ZodType>;
type OptionalForms<F extends Forms> = { [K in keyof F]: z.ZodOptional<F[K]> };

/** Maps parameters to the resource fields that they write. */
const fieldsByParameter = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Creates the body schema for writes of a resource: only the named fields, each in its input form. Descriptions come
 * from the resource fields.
 */
export function writeBody<R extends z.ZodObject, F extends Forms>(
  resource: R,
  forms: F & Record<Exclude<keyof F, keyof R['shape']>, never>,
): z.ZodObject<OptionalForms<F>> {
  const shape = Object.entries<z.ZodType>(forms).map(([name, form]) => {
    const parameter = form.optional();
    fieldsByParameter.set(parameter, resource.shape[name] as z.ZodType);
    return [name, parameter];
  });
  return z.object(Object.fromEntries(shape) as OptionalForms<F>);
}

/** Returns the field that a parameter writes. */
export function findResourceField(parameter: z.ZodType): z.ZodType | undefined {
  return fieldsByParameter.get(parameter);
}

/** Maximum length of the main text. Imported sites may have long texts. */
export const MAX_CONTENT_LENGTH = 2 * 1024 * 1024;
/** Maximum length of an excerpt, caption or description. */
export const MAX_TEXT_LENGTH = 65_535;
/** Maximum length of a title or other single-line text. */
export const MAX_LINE_LENGTH = 16_384;
/** Maximum length of a name, or of a slug before it is truncated. */
export const MAX_NAME_LENGTH = 2_000;

/** Schema of a text, or an object with the text as `raw`; any other value counts as missing. */
export function textInput(maxLength: number = MAX_TEXT_LENGTH) {
  return z
    .unknown()
    .transform((sent): string | undefined => {
      const text = isMap(sent) ? sent['raw'] : sent;
      return typeof text === 'string' ? text : undefined;
    })
    .refine((text) => (text?.length ?? 0) <= maxLength, { params: tooLong(maxLength) });
}

/** Like `textInput`, but an empty `raw` counts as missing: only a plain empty string clears a title. */
export const titleInput = z.preprocess(
  (sent) => (isMap(sent) && sent['raw'] === '' ? undefined : sent),
  textInput(MAX_LINE_LENGTH),
);

/** Schema of a map; an empty list counts as an empty map. */
export const mapInput = z
  .unknown()
  .refine((sent) => isMap(sent) || (Array.isArray(sent) && sent.length === 0))
  .refine((sent) => !isMap(sent) || Object.values(sent).every(isShort), { params: tooLong(MAX_LINE_LENGTH) })
  .transform((sent): Record<string, unknown> => (isMap(sent) ? sent : {}));

function isShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length <= MAX_LINE_LENGTH;
}

const percentage = (name: string) => wireNumber.describe(`${name}, in percent`);

export const flipModifier = z
  .object({
    type: z.literal('flip').meta({ description: 'Type of edit', type: 'string', enum: ['flip'] }),
    args: z
      .object({
        flip: z
          .object({
            horizontal: wireBoolean.describe('Whether to flip horizontally'),
            vertical: wireBoolean.describe('Whether to flip vertically'),
          })
          .describe('Directions of the flip'),
      })
      .describe('Arguments of the flip'),
  })
  .meta({ title: 'Flip' });

export const rotateModifier = z
  .object({
    type: z.literal('rotate').describe('Type of edit'),
    args: z.object({ angle: wireNumber.describe('Angle in degrees, clockwise') }).describe('Arguments of the rotation'),
  })
  .meta({ title: 'Rotation' });

export const cropModifier = z
  .object({
    type: z.literal('crop').describe('Type of edit'),
    args: z
      .object({
        left: percentage('Left edge'),
        top: percentage('Upper edge'),
        width: percentage('Width'),
        height: percentage('Height'),
      })
      .describe('Remaining area'),
  })
  .meta({ title: 'Crop' });

/** An edit of an image. */
export const imageModifier = z.union([flipModifier, rotateModifier, cropModifier]).describe('An edit');
export type ImageModifier = z.output<typeof imageModifier>;

/** Description of an edit in the index: one of its forms, each with its required members. */
export const imageModifierDescribed = {
  description: 'An edit',
  type: 'object',
  required: ['type', 'args'],
  oneOf: [flipModifier, rotateModifier, cropModifier].map(describeForm),
};

function describeForm(form: z.ZodObject) {
  const { title, properties } = z.toJSONSchema(form, {
    io: 'output',
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      if (jsonSchema.const === undefined) return;
      jsonSchema.enum = [jsonSchema.const as string];
      delete jsonSchema.const;
    },
  });
  return { title, properties };
}

export const context = z.enum(['view', 'embed', 'edit']);
export type Context = z.infer<typeof context>;

/** Contexts of a field: `v`iew, `e`dit, e`m`bed. */
export type FieldContexts = 'vem' | 've' | 'vm' | 'em' | 'e' | 'v';

interface FieldOptions {
  /** Set by the server; input is ignored. */
  readOnly?: true;
  /** Keywords that replace those of the schema in its description, `undefined` for none; `false` hides the field. */
  describedAs?: Readonly<Record<string, unknown>> | false;
}

/** Declares a field of a resource with its contexts. */
export function field<T extends z.ZodType>(
  contexts: FieldContexts,
  schema: T,
  description?: string,
  options: FieldOptions = {},
): T {
  return schema.meta({ ...schema.meta(), ...(description !== undefined && { description }), ...options, contexts });
}

/** Declares a field that is set by the server; input is ignored. */
export function readOnlyField<T extends z.ZodType>(
  contexts: FieldContexts,
  schema: T,
  description: string,
  options: FieldOptions = {},
): T {
  return field(contexts, schema, description, { readOnly: true, ...options });
}

const raw = field('e', z.string().optional(), 'Stored form');

/** Text as HTML, with the stored form in the edit context. */
export function renderedText(contexts: FieldContexts, description: string) {
  const rendered = readOnlyField(contexts, z.string(), 'As HTML');
  return field(contexts, z.object({ raw, rendered }), description);
}

/** Members of a text that may be password-protected. */
export function protectedParts(contexts: FieldContexts) {
  return {
    raw,
    rendered: readOnlyField(contexts, z.string(), 'As HTML'),
    protected: readOnlyField('vem', z.boolean(), 'Whether the text is password-protected'),
  };
}

/** Local date and time of the site: `2026-11-21T10:00:00`. */
export const localDateTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, { abort: true })
  // Some sites store `0000-00-00` for unpublished content.
  .refine((text) => !Number.isNaN(Date.parse(`${text}Z`)), { error: 'is not an existing date and time' })
  .meta({ format: 'date-time' });

/** An absolute URL. */
export const address = z.string().meta({ format: 'uri' });

/** A map that some servers serialize as an empty list. */
export function looseMap<T extends z.ZodType>(value: T) {
  return z
    .union([z.record(z.string(), value), z.tuple([])])
    .transform((map): Record<string, z.output<T>> => (Array.isArray(map) ? {} : map))
    .meta({ type: 'object' });
}

/** A list that some servers serialize as a map after removing keys. */
export const looseTexts = z
  .union([z.array(z.string()), z.record(z.string(), z.string())])
  .transform((list) => Object.values(list))
  .meta({ type: 'array', items: { type: 'string' } });

/** Response to a permanent deletion, with the deleted item. */
export const deletedResponse = <T extends z.ZodType>(previous: T) => z.object({ deleted: z.literal(true), previous });

/** Relation -> targets. */
export const links = z.record(z.string(), z.array(z.looseObject({ href: z.string() })));
