import { z } from 'zod';
import { tooLong } from '../wire.ts';

type Forms = Record<string, z.ZodType>;
type Sent<F extends Forms> = { [K in keyof F]: z.ZodOptional<F[K]> };

/** Fields of a resource behind the parameters that write them. */
const fields = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The body of a route that writes a resource: the named fields and no others, each in the form in which the wire
 * takes it. They are described as the fields that they write.
 */
export function writeBody<R extends z.ZodObject, F extends Forms>(
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

/** Most that the main text of a row may hold, in letters; a site that is brought along may have long ones. */
export const MAX_CONTENT_LENGTH = 2 * 1024 * 1024;
/** An excerpt, a caption, a description. */
export const MAX_TEXT_LENGTH = 65_535;
/** A title, or another text of one line. */
export const MAX_LINE_LENGTH = 16_384;
/** A name, or a slug as it is sent: it is cut. */
export const MAX_NAME_LENGTH = 2_000;

/** A text, or an object with one under `raw`; anything else is taken as not sent. */
export function writtenText(most: number = MAX_TEXT_LENGTH) {
  return z
    .unknown()
    .transform((sent): string | undefined => {
      const text = isMap(sent) ? sent['raw'] : sent;
      return typeof text === 'string' ? text : undefined;
    })
    .refine((text) => (text?.length ?? 0) <= most, { params: tooLong(most) });
}

/** The same, but an empty `raw` is taken as not sent too: only the bare empty text clears a title. */
export const writtenTitle = z
  .unknown()
  .transform((sent): string | undefined => {
    const text = isMap(sent) ? sent['raw'] || undefined : sent;
    return typeof text === 'string' ? text : undefined;
  })
  .refine((text) => (text?.length ?? 0) <= MAX_LINE_LENGTH, { params: tooLong(MAX_LINE_LENGTH) });

/** A map; an empty list stands for the empty map. */
export const writtenMap = z
  .unknown()
  .refine((sent) => isMap(sent) || (Array.isArray(sent) && sent.length === 0))
  .refine((sent) => !isMap(sent) || Object.values(sent).every(isShort), { params: tooLong(MAX_LINE_LENGTH) })
  .transform((sent): Record<string, unknown> => (isMap(sent) ? sent : {}));

function isShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length <= MAX_LINE_LENGTH;
}

function isMap(sent: unknown): sent is Record<string, unknown> {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}
