import { Column, getTableName, is, SQL } from 'drizzle-orm';

/** Columns of a statement in the query builder's representation. */
type Fields = readonly { path: readonly string[]; field: unknown }[];

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

/**
 * Creates a function that decodes rows like the query builder, which inspects each column again for each row.
 *
 * @param areThere true for joined tables that always have a row; undefined without joins
 * @returns undefined for nested objects, which are not supported
 */
export function rowReader(
  fields: Fields,
  areThere?: Readonly<Record<string, boolean>>,
): ((row: readonly unknown[]) => unknown) | undefined {
  if (fields.some(({ path }) => path.length > 2)) return undefined;
  const columns = fields.map(({ path: [first = '', second], field }) => ({ first, second, decoder: decoderOf(field) }));
  const optionalTables = areThere ? missingTables(fields, areThere) : [];
  return (row) => {
    const result: Record<string, unknown> = {};
    for (let n = 0; n < columns.length; n += 1) {
      const column = columns[n];
      if (!column) continue;
      const { first, second, decoder } = column;
      const raw = row[n];
      const value = raw === null || raw === undefined ? null : decoder.mapFromDriverValue(raw);
      if (second === undefined) result[first] = value;
      else ((result[first] ??= {}) as Record<string, unknown>)[second] = value;
    }
    for (const { name, at } of optionalTables) if (row[at] === null) result[name] = null;
    return result;
  };
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field;
  const { decoder } = (is(field, SQL) ? field : (field as { sql: SQL }).sql) as unknown as { decoder: Decoder };
  return decoder;
}

/** Finds objects of a single table that may have no row, with the index of their first column, which is null then. */
function missingTables(fields: Fields, areThere: Readonly<Record<string, boolean>>): { name: string; at: number }[] {
  const columns = fields.flatMap(({ path: [name = '', inner], field }, at) =>
    inner !== undefined && is(field, Column) ? [{ name, at, table: getTableName(field.table) }] : [],
  );
  return [...Map.groupBy(columns, ({ name }) => name).values()].flatMap(([first, ...rest]) => {
    const isOne = first && rest.every(({ table }) => table === first.table) && !areThere[first.table];
    return isOne ? [first] : [];
  });
}
