import type { z } from 'zod';
import { fieldsIn, type Context } from '#contracts/core/index.ts';
import type { AnyCall } from './transport/index.ts';
import type { Shown } from './transport/answer.ts';

/**
 * How each field of a resource is made; nothing is made that is not shown. All have a maker, and it makes what the
 * field is on the wire: nothing only where the contract says that the field may be missing.
 */
export type FieldMakers<S extends z.ZodObject> = Makers<z.input<S>>;
type Makers<T> = { readonly [K in keyof T]-?: () => T[K] };
export type LaterMakers<T> = { readonly [K in keyof T]-?: () => T[K] | Promise<T[K]> };

export interface FieldView {
  context: Context;
  /** Which fields were asked for. */
  call: { fields: { wants(name: string): boolean } };
}

/** The fields of a resource that are shown in the context and were asked for, in wire order. */
export function presentFields<S extends z.ZodObject>(
  resource: S,
  makers: FieldMakers<S>,
  view: FieldView,
): Shown<z.input<S>> {
  const body: Partial<z.input<S>> = {};
  for (const name of shownFields(resource, view)) {
    const value = makers[name]();
    if (value !== undefined) body[name] = value;
  }
  return body as Shown<z.input<S>>;
}

/** The same of values that are there as they are. */
export function presentValues<S extends z.ZodObject>(
  resource: S,
  values: z.input<S>,
  view: FieldView,
): Shown<z.input<S>> {
  const body: Partial<z.input<S>> = {};
  for (const name of shownFields(resource, view)) if (values[name] !== undefined) body[name] = values[name];
  return body as Shown<z.input<S>>;
}

/**
 * The same where fields are made of texts, which may take long. A resource that is only known when the program runs may
 * have fields that have no maker.
 */
export async function presentTexts<S extends z.ZodObject>(
  resource: S,
  makers: LaterMakers<z.input<S>>,
  view: FieldView,
): Promise<Shown<z.input<S>>> {
  const body: Partial<z.input<S>> = {};
  for (const name of shownFields(resource, view)) {
    const made = makers[name]?.();
    const value = made instanceof Promise ? await made : made;
    if (value !== undefined) body[name] = value;
  }
  return body as Shown<z.input<S>>;
}

function shownFields<S extends z.ZodObject>(resource: S, { context, call }: FieldView): (keyof z.input<S> & string)[] {
  return fieldsIn(resource, context).filter((name) => call.fields.wants(name));
}

/** Nothing of a resource, which prints as a list. */
export function nothingShown<T>(): Shown<T> {
  return [] as unknown as Shown<T>;
}

/** What prints as a list where nothing of it is shown. */
export function orList<T>(shown: Shown<T>): Shown<T> {
  return Object.keys(shown).length === 0 ? nothingShown() : shown;
}

/** How something was that is gone, as deletions answer it. Its id may be asked for as `previous.id`. */
export function previousOf<T>(shown: Shown<T>, id: number, { fields }: Pick<AnyCall, 'fields'>): Shown<T> {
  const previous = withoutLinks(shown);
  return orList(fields.wants('previous.id') ? { ...previous, id } : previous);
}

/** What is gone has no links: they would lead nowhere. */
export function withoutLinks<T>(shown: Shown<T>): Shown<T> {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => name !== '_links')) as Shown<T>;
}
