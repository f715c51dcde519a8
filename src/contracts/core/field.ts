import { z } from 'zod';
import { wireBoolean, wireNumber } from '../wire.ts';

const percentage = (name: string) => wireNumber.meta({ description: `${name}, in percent` });

export const flipModifier = z
  .object({
    type: z.literal('flip').meta({ description: 'Type of edit', type: 'string', enum: ['flip'] }),
    args: z
      .object({
        flip: z
          .object({
            horizontal: wireBoolean.meta({ description: 'Whether to flip horizontally' }),
            vertical: wireBoolean.meta({ description: 'Whether to flip vertically' }),
          })
          .meta({ description: 'Directions of the flip' }),
      })
      .meta({ description: 'Arguments of the flip' }),
  })
  .meta({ title: 'Flip' });

export const rotateModifier = z
  .object({
    type: z.literal('rotate').meta({ description: 'Type of edit' }),
    args: z
      .object({ angle: wireNumber.meta({ description: 'Angle in degrees, clockwise' }) })
      .meta({ description: 'Arguments of the rotation' }),
  })
  .meta({ title: 'Rotation' });

export const cropModifier = z
  .object({
    type: z.literal('crop').meta({ description: 'Type of edit' }),
    args: z
      .object({
        left: percentage('Left edge'),
        top: percentage('Upper edge'),
        width: percentage('Width'),
        height: percentage('Height'),
      })
      .meta({ description: 'Remaining area' }),
  })
  .meta({ title: 'Crop' });

/** An edit of an image. */
export const imageModifier = z.union([flipModifier, rotateModifier, cropModifier]).meta({ description: 'An edit' });
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

export interface FieldOptions {
  description?: string;
  /** Set by the server; input is ignored. */
  readOnly?: true;
  /** Keywords that replace those of the schema in its description, `undefined` for none; `false` hides the field. */
  describedAs?: Readonly<Record<string, unknown>> | false;
}

/** Declares a field of a resource with its contexts. */
export function field<T extends z.ZodType>(contexts: FieldContexts, schema: T, notes: FieldOptions = {}): T {
  return schema.meta({ ...schema.meta(), ...notes, contexts });
}

const raw = field('e', z.string().optional(), { description: 'Stored form' });

/** Text as HTML, with the stored form in the edit context. */
export function renderedText(contexts: FieldContexts, description: string) {
  const rendered = field(contexts, z.string(), { description: 'As HTML', readOnly: true });
  return field(contexts, z.object({ raw, rendered }), { description });
}

/** Members of a text that may be password-protected. */
export function protectedParts(contexts: FieldContexts) {
  return {
    raw,
    rendered: field(contexts, z.string(), { description: 'As HTML', readOnly: true }),
    protected: field('vem', z.boolean(), { description: 'Whether the text is password-protected', readOnly: true }),
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

/** Relation -> targets. */
export const links = z.record(z.string(), z.array(z.looseObject({ href: z.string() })));
