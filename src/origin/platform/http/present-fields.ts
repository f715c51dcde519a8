import type { z } from 'zod';
import { listContextFields, type Context } from '#contracts/core/field.ts';
import type { AnyCall, SelectedFields } from './transport/call.ts';

/**
 * Functions that create the fields of a resource, called for selected fields only.
 *
 * Each returns the JSON value of its field; `undefined` only for optional fields.
 */
export type FieldGetters<S extends z.ZodObject> = Makers<z.input<S>>;
type Makers<T> = { readonly [K in keyof T]-?: () => T[K] };
export type AsyncFieldGetters<T> = { readonly [K in keyof T]-?: () => T[K] | Promise<T[K]> };

export interface FieldView {
  context: Context;
  /** Selection of fields. */
  call: { fields: { wants(name: string): boolean } };
}

/** Returns the fields of a resource that belong to the context and are selected, in JSON order. */
export function presentFields<S extends z.ZodObject>(
  resource: S,
  makers: FieldGetters<S>,
  view: FieldView,
): SelectedFields<z.input<S>> {
  const body: Partial<z.input<S>> = {};
  for (const name of selectedNames(resource, view)) {
    const value = makers[name]();
    if (value !== undefined) body[name] = value;
  }
  return body as SelectedFields<z.input<S>>;
}

/** Does the same for existing values. */
export function presentValues<S extends z.ZodObject>(
  resource: S,
  values: z.input<S>,
  view: FieldView,
): SelectedFields<z.input<S>> {
  const body: Partial<z.input<S>> = {};
  for (const name of selectedNames(resource, view)) if (values[name] !== undefined) body[name] = values[name];
  return body as SelectedFields<z.input<S>>;
}

/**
 * Does the same for fields that may be created asynchronously. A resource that is defined at runtime may have fields
 * without a function.
 */
export async function presentTexts<S extends z.ZodObject>(
  resource: S,
  makers: AsyncFieldGetters<z.input<S>>,
  view: FieldView,
): Promise<SelectedFields<z.input<S>>> {
  const body: Partial<z.input<S>> = {};
  for (const name of selectedNames(resource, view)) {
    const made = makers[name]?.();
    const value = made instanceof Promise ? await made : made;
    if (value !== undefined) body[name] = value;
  }
  return body as SelectedFields<z.input<S>>;
}

function selectedNames<S extends z.ZodObject>(
  resource: S,
  { context, call }: FieldView,
): (keyof z.input<S> & string)[] {
  return listContextFields(resource, context).filter((name) => call.fields.wants(name));
}

/** Returns an empty selection, which is encoded as a list. */
export function emptySelection<T>(): SelectedFields<T> {
  return [] as unknown as SelectedFields<T>;
}

/** Returns an empty selection if no field is selected. */
export function emptyAsList<T>(shown: SelectedFields<T>): SelectedFields<T> {
  return Object.keys(shown).length === 0 ? emptySelection() : shown;
}

/** Returns the former state of a deleted row. Its ID can be selected by `previous.id`. */
export function presentPrevious<T>(
  shown: SelectedFields<T>,
  id: number,
  { fields }: Pick<AnyCall, 'fields'>,
): SelectedFields<T> {
  const previous = withoutLinks(shown);
  return emptyAsList(fields.wants('previous.id') ? { ...previous, id } : previous);
}

/** Removes the links, as a deleted row has none. */
export function withoutLinks<T>(shown: SelectedFields<T>): SelectedFields<T> {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => name !== '_links')) as SelectedFields<T>;
}
