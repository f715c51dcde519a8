/** How what is sent becomes columns: what is emptied is null, as what was never written is. */
export function orNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}

/** A value for some columns, undefined for those that stay as they are. */
export type SentValues<Row> = { [K in keyof Row]?: Row[K] | undefined };

/** The columns that change. */
export function sentOnly<Row>(values: SentValues<Row>): Partial<Row> {
  // Of the entries none but those without a value are left out.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Row>;
}
