/** Prints what a command has to say: for a person its message and its rows as a table, for a machine all of it. */
export function printResult(result: { message: string; rows?: Record<string, unknown>[] }, asJson = false): void {
  if (asJson) return void process.stdout.write(`${JSON.stringify(result)}\n`);
  const { message, rows = [] } = result;
  process.stdout.write(rows.length > 0 ? `${formatTable(rows)}\n${message}\n` : `${message}\n`);
}

/** Rows under their names, in columns. */
export function formatTable(rows: readonly Record<string, unknown>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
