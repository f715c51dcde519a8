import { Column, getTableName, is, SQL } from 'drizzle-orm';

/** Columns of a statement, as the query builder keeps them: what each is, and where it goes. */
type Fields = readonly { path: readonly string[]; field: unknown }[];

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

/**
 * Makes what the query builder makes of a row, which finds out about each column anew for each row.
 *
 * @param areThere by the name of a joined table, whether it has a row in any case; missing where nothing is joined
 * @returns nothing for columns within objects within objects
 */
export function rowReader(
  fields: Fields,
  areThere?: Readonly<Record<string, boolean>>,
): ((row: readonly unknown[]) => unknown) | undefined {
  if (fields.some(({ path }) => path.length > 2)) return undefined;
  const columns = fields.map(({ path: [first = '', second], field }) => ({ first, second, decoder: decoderOf(field) }));
  const mayBeMissing = areThere ? missingTables(fields, areThere) : [];
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
    for (const { name, at } of mayBeMissing) if (row[at] === null) result[name] = null;
    return result;
  };
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field;
  const { decoder } = (is(field, SQL) ? field : (field as { sql: SQL }).sql) as unknown as { decoder: Decoder };
  return decoder;
}

/** Objects of one table that may have no row, each with its first column, which says so. */
function missingTables(fields: Fields, areThere: Readonly<Record<string, boolean>>): { name: string; at: number }[] {
  const columns = fields.flatMap(({ path: [name = '', inner], field }, at) =>
    inner !== undefined && is(field, Column) ? [{ name, at, table: getTableName(field.table) }] : [],
  );
  return [...Map.groupBy(columns, ({ name }) => name).values()].flatMap(([first, ...others]) => {
    const isOne = first && others.every(({ table }) => table === first.table) && !areThere[first.table];
    return isOne ? [first] : [];
  });
}
