/** Rows as a Markdown table; numbers with as many digits as they are worth. */
export function formatTable(rows: readonly object[]): string {
  const names = Object.keys(rows[0] ?? {});
  const rule = rows[0] ? Object.values(rows[0]).map((value) => (typeof value === 'number' ? '---:' : '---')) : [];
  return [
    line(names.map(toWords)),
    line(rule),
    ...rows.map((row) => line(Object.values(row).map((value) => show(value)))),
  ].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function toWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function show(value: unknown): string {
  if (typeof value !== 'number') return String(value);
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
