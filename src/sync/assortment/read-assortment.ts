import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml';
import { z } from 'zod';
import { createTransport } from '#client/create-transport.ts';
import { displayUrl } from '#client/upstream-result.ts';
import type { Options } from '#config/index.ts';
import { parseGtin, parseValue, SortimentError } from '#contracts/index.ts';
import { languageCode } from '#contracts/product/index.ts';
import type { FamilyRecord } from '#snapshot/index.ts';

/** Language, with or without region -> text. */
const texts = z.record(z.string(), z.string().min(1, { error: 'is empty' })).superRefine((map, ctx) => {
  for (const key of Object.keys(map).filter((code) => !languageCode.safeParse(code).success)) {
    ctx.addIssue({ code: 'custom', path: [key], message: 'is not a language such as "de" or "de-de"' });
  }
});

/** A norm or attribute key, or a list of alternatives. */
const highlight = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z
    .array(z.string().trim().min(1, { error: 'is empty' }), {
      error: 'is neither a norm, such as EN 1931, nor a list of norms in brackets',
    })
    .min(1, { error: 'is empty' }),
);

const assortmentFile = z.strictObject({
  families: z.array(
    z.strictObject({
      id: z.string(),
      names: texts,
      descriptions: texts.default({}),
      highlights: z.array(highlight).optional(),
      gtins: z.array(z.string()),
    }),
  ),
});

/** Timeout for a list at an http(s) address. */
const TIMEOUT_MS = 20_000;

/**
 * Reads and validates the list of products from a folder, a file (YAML, CSV), an http(s) address or a function. Reports
 * all invalid lines together, with their positions.
 * @param options `root`: folder of the project; paths are relative to it.
 * @throws SortimentError ASSORTMENT_MISSING, ASSORTMENT_INVALID or ASSORTMENT_EMPTY.
 */
export async function readAssortment(
  source: Options['assortment'],
  { root, signal }: { root: string; signal?: AbortSignal | undefined },
): Promise<Assortment> {
  const parsed: ParsedAssortment = { families: [], lines: [], problems: [] };
  if (typeof source === 'function') {
    const rows = await source();
    parsed.lines = rows.map(({ gtin, family }, i) => ({ gtin, family, place: `assortment()[${i}]` }));
  } else {
    const isAddress = /^https?:\/\//i.test(source);
    const lists = isAddress ? [await fetchList(source, signal)] : await readFiles(path.resolve(root, source), root);
    for (const list of lists) (list.isCsv ? parseAssortmentCsv : parseAssortmentYaml)(list, parsed);
  }
  return checkAssortment(parsed);
}

async function fetchList(address: string, signal: AbortSignal | undefined): Promise<ListText> {
  await using transport = createTransport({ timeoutMs: TIMEOUT_MS, retries: 3, signal });
  const response = await transport.send({ url: address, accept: 'text/csv, application/yaml, text/plain;q=0.9' });
  const url = displayUrl(address);
  if (response.outcome === 'failed') throw missing(`"${url}": ${response.problem}`);
  if (response.status !== 200) throw missing(`"${url}" responded with ${response.status}`);
  const isCsv = /csv/i.test(response.headers['content-type'] ?? '') || new URL(address).pathname.endsWith('.csv');
  return { file: url, isCsv, text: response.body.toString('utf8') };
}

async function readFiles(place: string, root: string): Promise<ListText[]> {
  const files = await findFiles(place);
  return Promise.all(
    files.map(async (file) => ({
      file: path.relative(root, file),
      isCsv: file.endsWith('.csv'),
      text: await readFile(file, 'utf8'),
    })),
  );
}

async function findFiles(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => undefined);
  if (!found) throw missing(`${place} does not exist`);
  if (!found.isDirectory()) return [place];
  const names = await readdir(place);
  const lists = names.filter((name) => /\.(ya?ml|csv)$/i.test(name)).toSorted();
  if (lists.length === 0) throw missing(`${place} contains no .yaml or .csv file`);
  return lists.map((name) => path.join(place, name));
}

function missing(reason: string): SortimentError {
  return new SortimentError('ASSORTMENT_MISSING', `The list of products is missing: ${reason}.`, {
    hint: 'Set `assortment` in src/sortiment.config.ts to a folder, a file, an http(s) address or a function.',
  });
}

interface CsvRow {
  record: Record<string, string>;
  info: { lines: number };
}

/** Parses a CSV list with the header `gtin,family`. Other columns are ignored. */
function parseAssortmentCsv({ text, file }: ListText, { lines, problems }: ParsedAssortment): void {
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
    problems.push({ place: `${file}:${line}`, problem: 'is not valid CSV', hint: 'Check its quotation marks.' });
    return;
  }
  if (!header.split(/[,;\t]/).some((name) => /^\uFEFF?["\s]*gtin\b/i.test(name))) {
    const hint = 'Start the file with the line "gtin,family".';
    problems.push({ place: `${file}:1`, problem: 'has no column "gtin"', hint });
    return;
  }
  for (const { record, info } of rows)
    lines.push({
      gtin: record['gtin'] ?? '',
      family: record['family'] || undefined,
      place: `${file}:${info.lines}`,
    });
}

/** Parses a YAML list: `families: [{ id, names, descriptions?, highlights?, gtins }]`. */
function parseAssortmentYaml({ text, file }: ListText, { families, lines, problems }: ParsedAssortment): void {
  const lineCounter = new LineCounter();
  // Reads scalars as text, so that GTINs keep their leading zeros.
  const document = parseDocument(text, { schema: 'failsafe', lineCounter, prettyErrors: false });
  const positionAt = (offset: number) => `${file}:${lineCounter.linePos(offset).line}`;
  for (const { pos, message } of document.errors)
    problems.push({ place: positionAt(pos[0]), problem: `is not valid YAML: ${message}` });
  if (document.errors.length > 0) return;
  const positionOf = (path: readonly string[]) => positionAt(offsetOf(document.contents, path));
  const parsed = parseValue(assortmentFile, document.toJS() ?? {});
  if (!parsed.ok) {
    for (const { field, problem } of parsed.problems)
      problems.push({
        place: positionOf(field.split(/[.[\]]+/).filter(Boolean)),
        problem: `${field || 'the list'} ${problem}`,
      });
    return;
  }
  for (const [i, { gtins, ...family }] of parsed.value.families.entries()) {
    families.push({ ...family, place: positionOf(['families', String(i)]) });
    for (const [j, gtin] of gtins.entries())
      lines.push({ gtin, family: family.id, place: positionOf(['families', String(i), 'gtins', String(j)]) });
  }
}

/** Returns the position of a value in the text; for a missing or unknown member, that of the nearest parent. */
function offsetOf(contents: Node | null, path: readonly string[]): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const step of path) {
    let found: Node | undefined;
    if (isMap(node)) {
      const pair = node.items.find((item) => keyOf(item) === step);
      if (pair && isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      found = pair && isNode(pair.value) ? pair.value : undefined;
    } else if (isSeq(node)) {
      const item = node.items[Number(step)];
      found = isNode(item) ? item : undefined;
      offset = found?.range?.[0] ?? offset;
    }
    node = found;
  }
  return offset;
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

/** Format of an id, which is part of URLs. */
const FAMILY_ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** @throws SortimentError ASSORTMENT_INVALID with all problems of all lists. */
function checkAssortment(parsed: ParsedAssortment): Assortment {
  const { problems } = parsed;
  const families = checkFamilies(parsed);
  const rows = checkLines(parsed);
  if (problems.length > 0) throw invalid(problems);
  if (rows.length === 0) {
    throw new SortimentError('ASSORTMENT_EMPTY', 'The assortment lists no products.', {
      hint: 'List at least one GTIN, in a CSV file with the columns gtin and family or a YAML file of families.',
    });
  }
  return { families: [...families.values()], rows };
}

/** Collects families with a description first, then those that only appear in lines. */
function checkFamilies({ families: described, lines, problems }: ParsedAssortment): Map<string, FamilyRecord> {
  const families = new Map<string, FamilyRecord>();
  const places = new Map<string, string>();
  const add = (family: FamilyRecord, place: string) => {
    if (!FAMILY_ID.test(family.id)) {
      const problem = `the family "${family.id}" must consist of lower-case letters, digits and hyphens`;
      problems.push({ place, problem, hint: 'It is part of URLs; visitors see its names.' });
    }
    families.set(family.id, family);
    places.set(family.id, place);
  };
  for (const { place, ...family } of described) {
    const first = places.get(family.id);
    if (first) problems.push({ place, problem: `the family "${family.id}" is described twice, first at ${first}` });
    else add(family, place);
  }
  for (const { family: id, place } of lines) {
    if (id !== undefined && !families.has(id)) add({ id, names: {}, descriptions: {} }, place);
  }
  return families;
}

function checkLines({ lines, problems }: ParsedAssortment): Assortment['rows'] {
  const places = new Map<string, string>();
  return lines.flatMap(({ gtin, family, place }) => {
    const parsed = parseGtin(gtin);
    if (!parsed.ok) {
      problems.push({ place, problem: parsed.problem, hint: parsed.hint });
      return [];
    }
    const first = places.get(parsed.gtin13);
    if (first) {
      problems.push({
        place,
        problem: `${parsed.gtin13} is listed twice, first at ${first}`,
        hint: 'Remove one of them.',
      });
      return [];
    }
    places.set(parsed.gtin13, place);
    return [{ gtin: parsed.gtin13, family }];
  });
}

function invalid(problems: ParsedAssortment['problems']): SortimentError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const lines = problems.map(({ place, problem, hint }) => `  ${place} ${problem}${hint ? `. ${hint}` : ''}`);
  return new SortimentError('ASSORTMENT_INVALID', `The assortment has ${count}:\n${lines.join('\n')}`, {
    hint: 'Correct these lines. Nothing was requested.',
  });
}

export interface Assortment {
  families: FamilyRecord[];
  /** In list order, without duplicates. GTINs have 13 digits. */
  rows: { gtin: string; family: string | undefined }[];
}

interface ListText {
  /** File name or address for messages. */
  file: string;
  isCsv: boolean;
  text: string;
}

/** File and line, such as `content/assortment/membranes.yaml:12`. */
interface WithPlace {
  place: string;
}

/** Content of all lists in their order, with all format problems. */
interface ParsedAssortment {
  families: (FamilyRecord & WithPlace)[];
  /** Listed products as written. */
  lines: (Assortment['rows'][number] & WithPlace)[];
  /** `hint`: how to fix it, if the problem alone doesn't say. */
  problems: (WithPlace & { problem: string; hint?: string })[];
}
