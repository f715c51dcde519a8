import { type Assortment, checkAssortment } from './check-assortment.ts';
import { createTransport, displayUrl } from '#client/index.ts';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import type { ParsedAssortment } from './assortment-line.ts';
import { parseAssortmentCsv } from './parse-assortment-csv.ts';
import { parseAssortmentYaml } from './parse-assortment-yaml.ts';

export interface ReadAssortmentOptions {
  /** The project's folder, which paths are relative to. */
  root: string;
  /** For an address. @default 20000 */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the list of products from a folder or file (YAML, CSV), an http(s) address or a function, and checks it:
 * all wrong lines at once, each with its place.
 * @throws SortimentError ASSORTMENT_MISSING, ASSORTMENT_INVALID or ASSORTMENT_EMPTY.
 */
export async function readAssortment(
  source: Options['assortment'],
  options: ReadAssortmentOptions,
): Promise<Assortment> {
  if (typeof source === 'function') return checkAssortment([await callFunction(source)]);
  if (/^https?:\/\//i.test(source)) return checkAssortment([await fetchList(source, options)]);
  return checkAssortment(await readFiles(path.resolve(options.root, source), options.root));
}

async function callFunction(source: Exclude<Options['assortment'], string>): Promise<ParsedAssortment> {
  const rows = await source();
  const lines = rows.map(({ gtin, family }, i) => ({ gtin, family, place: `assortment()[${i}]` }));
  return { families: [], lines, problems: [] };
}

async function fetchList(address: string, options: ReadAssortmentOptions): Promise<ParsedAssortment> {
  const { timeoutMs = 20_000, signal } = options;
  const transport = createTransport({ timeoutMs, retries: 3, signal });
  try {
    const answer = await transport.send({ url: address, accept: 'text/csv, application/yaml, text/plain;q=0.9' });
    const url = displayUrl(address);
    if (answer.outcome === 'failed') throw missing(`"${url}": ${answer.problem}`);
    if (answer.status !== 200) throw missing(`"${url}" answers ${answer.status}`);
    const isCsv = /csv/i.test(answer.headers['content-type'] ?? '') || new URL(address).pathname.endsWith('.csv');
    return (isCsv ? parseAssortmentCsv : parseAssortmentYaml)(answer.body.toString('utf8'), url);
  } finally {
    await transport.close();
  }
}

async function readFiles(place: string, root: string): Promise<ParsedAssortment[]> {
  const files = await findFiles(place);
  return Promise.all(
    files.map(async (file) => {
      const parse = file.endsWith('.csv') ? parseAssortmentCsv : parseAssortmentYaml;
      return parse(await readFile(file, 'utf8'), path.relative(root, file));
    }),
  );
}

async function findFiles(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => undefined);
  if (!found) throw missing(`${place} does not exist`);
  if (!found.isDirectory()) return [place];
  const names = await readdir(place);
  const lists = names.filter((name) => /\.(ya?ml|csv)$/i.test(name)).toSorted();
  if (lists.length === 0) throw missing(`${place} holds no .yaml or .csv file`);
  return lists.map((name) => path.join(place, name));
}

function missing(what: string): SortimentError {
  return new SortimentError('ASSORTMENT_MISSING', `There is no list of products: ${what}.`, {
    hint: 'Set `assortment` in src/sortiment.config.ts to a folder, a file, an http(s) address or a function.',
  });
}
