import { z } from 'zod';
import { type ErrorTable, type HttpMethod, wireList } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Caller } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';

export interface AbilityAnnotations {
  readonly: boolean;
  destructive: boolean;
  idempotent: boolean;
}

/** An operation of the origin for programs, with schemas for its input and output. */
export interface Ability<I extends z.ZodType = z.ZodType, E extends ErrorTable = ErrorTable> {
  /** Namespace and name, such as `core/get-site-info`. */
  name: string;
  label: string;
  description: string;
  category: string;
  annotations: AbilityAnnotations;
  input: I;
  output: z.ZodType;
  /** Errors that it throws itself. */
  errors: E;
  /** True if the site has anything for it to do. @default always available */
  isAvailable?(context: OriginContext): boolean | Promise<boolean>;
  mayRun(caller: Caller): boolean;
  run(input: z.output<I>, call: AnyCall<keyof E & string>): Promise<unknown>;
}

/** Declares an ability. The input type is erased: its schema parses the input before `run`. */
export function defineAbility<I extends z.ZodType, E extends ErrorTable = Record<never, never>>(
  ability: Omit<Ability<I, E>, 'errors'> & { errors?: E },
): Ability {
  return { errors: {}, ...ability } as unknown as Ability;
}

/** HTTP method that runs an ability: GET if read-only, DELETE if destructive and idempotent, else POST. */
export function getAbilityMethod({ annotations: { readonly, destructive, idempotent } }: Ability): HttpMethod {
  if (readonly) return 'GET';
  return destructive && idempotent ? 'DELETE' : 'POST';
}

/** Input schema of an ability that reports a record: the names of the fields to return, or none for all. */
export function fieldsInput<N extends string>(schema: { keyof(): { options: N[] } }) {
  const fields = wireList(z.enum(schema.keyof().options)).optional();
  return z.strictObject({ fields: fields.meta({ description: 'Only these fields' }) }).default({});
}

export function pickFields(record: Readonly<Record<string, unknown>>, chosen: readonly string[] | undefined) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !chosen?.length || chosen.includes(name)));
}
