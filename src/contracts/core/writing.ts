import { z } from 'zod';

type Forms = Record<string, z.ZodType>;
type Sent<F extends Forms> = { [K in keyof F]: z.ZodOptional<F[K]> };

/** Fields of a resource behind the parameters that write them. */
const fields = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The body of a route that writes a resource: the named fields and no others, each in the form in which the wire
 * takes it. They are described as the fields that they write.
 */
export function writing<R extends z.ZodObject, F extends Forms>(
  resource: R,
  forms: F & Record<Exclude<keyof F, keyof R['shape']>, never>,
): z.ZodObject<Sent<F>> {
  const shape = Object.entries<z.ZodType>(forms).map(([name, form]) => {
    const parameter = form.optional();
    fields.set(parameter, resource.shape[name] as z.ZodType);
    return [name, parameter];
  });
  return z.object(Object.fromEntries(shape) as Sent<F>);
}

/** The field that a parameter writes, for its description. */
export function writtenField(parameter: z.ZodType): z.ZodType | undefined {
  return fields.get(parameter);
}

/** A text, or an object with one under `raw`; anything else is taken as not sent. */
export const writtenText = z.unknown().transform((sent): string | undefined => {
  const text = isMap(sent) ? sent['raw'] : sent;
  return typeof text === 'string' ? text : undefined;
});

/** The same, but an empty `raw` is taken as not sent too: only the bare empty text clears a title. */
export const writtenTitle = z.unknown().transform((sent): string | undefined => {
  const text = isMap(sent) ? sent['raw'] || undefined : sent;
  return typeof text === 'string' ? text : undefined;
});

/** A map; an empty list stands for the empty map. */
export const writtenMap = z
  .unknown()
  .refine((sent) => isMap(sent) || (Array.isArray(sent) && sent.length === 0))
  .transform((sent): Record<string, unknown> => (isMap(sent) ? sent : {}));

function isMap(sent: unknown): sent is Record<string, unknown> {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}
