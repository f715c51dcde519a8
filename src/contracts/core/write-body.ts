import { z } from 'zod';
import { tooLong } from '../wire.ts';

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

/** Like `writtenText`, but an empty `raw` counts as missing: only a plain empty string clears a title. */
export const titleInput = z
  .unknown()
  .transform((sent): string | undefined => {
    const text = isMap(sent) ? sent['raw'] || undefined : sent;
    return typeof text === 'string' ? text : undefined;
  })
  .refine((text) => (text?.length ?? 0) <= MAX_LINE_LENGTH, { params: tooLong(MAX_LINE_LENGTH) });

/** Schema of a map; an empty list counts as an empty map. */
export const mapInput = z
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
