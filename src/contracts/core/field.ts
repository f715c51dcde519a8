import { z } from 'zod';

export const context = z.enum(['view', 'embed', 'edit']);
export type Context = z.infer<typeof context>;

/** Contexts in which a field is shown: `v`iew, `e`dit, e`m`bed. */
export type FieldContexts = 'vem' | 've' | 'vm' | 'em' | 'e' | 'v';

export interface FieldNotes {
  description?: string;
  /** The server fills it; what a caller sends for it is ignored. */
  readOnly?: true;
  /** Keywords that its description has instead of those of its schema, `undefined` for none; `false`: it has no description. */
  describedAs?: Readonly<Record<string, unknown>> | false;
}

/** A field of a resource with the contexts in which it is shown. */
export function field<T extends z.ZodType>(contexts: FieldContexts, schema: T, notes: FieldNotes = {}): T {
  return schema.meta({ ...schema.meta(), ...notes, contexts });
}

const fieldsOfResources = new WeakMap<z.ZodObject, Map<Context, readonly string[]>>();

/** The names of a resource's fields that are shown in a context, in wire order. */
export function fieldsIn<S extends z.ZodObject>(resource: S, shown: Context): readonly (keyof S['shape'] & string)[] {
  const known = fieldsOfResources.get(resource) ?? new Map<Context, readonly string[]>();
  fieldsOfResources.set(resource, known);
  const names = known.get(shown) ?? findFields(resource, shown);
  known.set(shown, names);
  return names;
}

function findFields(resource: z.ZodObject, shown: Context): readonly string[] {
  return Object.entries(resource.shape)
    .filter(([, schema]) => isShownIn(schema as z.ZodType, shown))
    .map(([name]) => name);
}

function isShownIn(schema: z.ZodType, shown: Context): boolean {
  const letter = shown === 'embed' ? 'm' : shown === 'edit' ? 'e' : 'v';
  const { contexts } = schema.meta() ?? {};
  return typeof contexts !== 'string' || contexts.includes(letter);
}

const raw = field('e', z.string().optional(), { description: 'As it is stored' });

/** Text with its stored form, which only those see who may edit it. */
export function renderedText(contexts: FieldContexts, description: string) {
  const rendered = field(contexts, z.string(), { description: 'As HTML', readOnly: true });
  return field(contexts, z.object({ raw, rendered }), { description });
}

/** The parts of a text that a password may guard. */
export function protectedParts(contexts: FieldContexts) {
  return {
    raw,
    rendered: field(contexts, z.string(), { description: 'As HTML', readOnly: true }),
    protected: field('vem', z.boolean(), { description: 'Whether a password guards it', readOnly: true }),
  };
}

/** Local date and time of the site, without a zone: `2026-11-21T10:00:00`. */
export const localDateTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, { abort: true })
  // Some sites keep `0000-00-00` for what was never published.
  .refine((text) => !Number.isNaN(Date.parse(`${text}Z`)), { error: 'is no day and time that there is' })
  .meta({ format: 'date-time' });

/** An absolute address. */
export const address = z.string().meta({ format: 'uri' });

/** A map that some servers print as an empty list when it is empty. */
export function looseMap<T extends z.ZodType>(value: T) {
  return z
    .union([z.record(z.string(), value), z.tuple([])])
    .transform((map): Record<string, z.output<T>> => (Array.isArray(map) ? {} : map))
    .meta({ type: 'object' });
}

/** A list that some servers print as a map when keys were dropped from it. */
export const looseTexts = z
  .union([z.array(z.string()), z.record(z.string(), z.string())])
  .transform((list) => Object.values(list))
  .meta({ type: 'array', items: { type: 'string' } });

/** Relation -> targets. */
export const links = z.record(z.string(), z.array(z.looseObject({ href: z.string() })));
