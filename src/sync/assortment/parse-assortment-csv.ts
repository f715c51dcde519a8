import { parse } from 'csv-parse/sync';
import type { ParsedAssortment } from './assortment-line.ts';

interface CsvRow {
  record: Record<string, string>;
  info: { lines: number };
}

/** Reads a list in CSV with the header `gtin,family`; more columns are left alone. @param file Name for the places. */
export function parseAssortmentCsv(text: string, file: string): ParsedAssortment {
  const [header = ''] = text.split(/\r?\n/, 1);
  let rows: CsvRow[];
  try {
    rows = parse(text, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      delimiter: [',', ';', '\t'].find((mark) => header.includes(mark)) ?? ',',
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as CsvRow[];
  } catch (error) {
    const line = error instanceof Error && 'lines' in error ? Number(error.lines) : 1;
    return refuse(`${file}:${line}`, 'is not valid CSV', 'Check its quotation marks.');
  }
  if (!header.split(/[,;\t]/).some((name) => /^\uFEFF?["\s]*gtin\b/i.test(name))) {
    return refuse(`${file}:1`, 'has no column "gtin"', 'Begin the file with the line "gtin,family".');
  }
  const lines = rows.map(({ record, info }) => ({
    gtin: record['gtin'] ?? '',
    family: record['family'] || undefined,
    place: `${file}:${info.lines}`,
  }));
  return { families: [], lines, problems: [] };
}

function refuse(place: string, problem: string, hint: string): ParsedAssortment {
  return { families: [], lines: [], problems: [{ place, problem, hint }] };
}
