import { z } from 'zod';

export const context = z.enum(['view', 'embed', 'edit']);
export type Context = z.infer<typeof context>;

/** A field of a resource with the contexts in which it is shown: `v`iew, `e`dit, e`m`bed. */
export function field<T extends z.ZodType>(contexts: 'vem' | 've' | 'vm' | 'e' | 'v', schema: T): T {
  return schema.meta({ ...schema.meta(), contexts });
}

/** The names of a resource's fields that are shown in a context, in wire order. */
export function fieldsIn<S extends z.ZodObject>(resource: S, shown: Context): (keyof S['shape'] & string)[] {
  const letter = shown === 'embed' ? 'm' : shown === 'edit' ? 'e' : 'v';
  return Object.entries(resource.shape)
    .filter(([, schema]) => {
      const { contexts } = (schema as z.ZodType).meta() ?? {};
      return typeof contexts !== 'string' || contexts.includes(letter);
    })
    .map(([name]) => name);
}

/** Text with its stored form, which only those see who may edit it. */
export const rendered = z.object({ raw: z.string().optional(), rendered: z.string() });

export const protectedText = z.object({
  raw: z.string().optional(),
  rendered: z.string(),
  protected: z.boolean(),
  block_version: z.int().optional(),
});

/** Local date and time of the site, without a zone: `2026-11-21T10:00:00`. */
export const localDateTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);

/** Relation -> targets. */
export const links = z.record(z.string(), z.array(z.looseObject({ href: z.string() })));
