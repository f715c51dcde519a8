import type { z } from 'zod';
import type { ErrorTable, HttpMethod } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Caller } from '#origin/platform/http/callers/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';

/** What running an ability means for the site. */
export interface AbilityAnnotations {
  readonly: boolean;
  destructive: boolean;
  idempotent: boolean;
}

/** Something the origin can do for a program, under a name and with both ends described. */
export interface Ability<I extends z.ZodType = z.ZodType, E extends ErrorTable = ErrorTable> {
  /** Namespace and name. */
  name: string;
  label: string;
  description: string;
  category: string;
  annotations: AbilityAnnotations;
  input: I;
  output: z.ZodType;
  /** What it refuses with itself. */
  errors: E;
  /** Whether there is anything here that it could do; without it, always. */
  isAvailable?(context: OriginContext): boolean | Promise<boolean>;
  mayRun(caller: Caller): boolean;
  run(input: z.output<I>, call: AnyCall<keyof E & string>): Promise<unknown>;
}

/** Declares an ability and forgets the type of what goes in: it is parsed by its own schema before it runs. */
export function defineAbility<I extends z.ZodType, E extends ErrorTable = Record<never, never>>(
  ability: Omit<Ability<I, E>, 'errors'> & { errors?: E },
): Ability {
  return { errors: {}, ...ability } as unknown as Ability;
}

/** What an ability is run by: reading by GET, destroying what can be destroyed once by DELETE, the rest by POST. */
export function methodOf({ annotations: { readonly, destructive, idempotent } }: Ability): HttpMethod {
  if (readonly) return 'GET';
  return destructive && idempotent ? 'DELETE' : 'POST';
}
