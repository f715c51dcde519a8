import { z } from 'zod';
import { createTransport, type Transport } from '#client/create-transport.ts';
import { displayUrl, upstreamError, maskSecrets } from '#client/upstream-result.ts';
import { fileCredential, type Credential } from '#client/credential.ts';
import { listProductPages, productClient, type ProductClient } from '#client/product-client.ts';
import type { Account } from '#config/index.ts';
import { IMPORT_COMMANDS, type ImportCommand, type ImportProduct } from '#contracts/import.ts';
import { SortimentError, trimTrailing, isSortimentError, describeSystemError } from '#contracts/index.ts';
import { PRODUCT_FIELDS, type ProductField, type Language, product } from '#contracts/product/index.ts';
import { parseProduct } from '#contracts/product/parse-product.ts';
import { fetchFile, getLocalFilePath, removeStagedFiles, runStep, type RunCommand } from './destination.ts';
import { createImportReport, type ImportReport, type ImportResult } from './connect-site.ts';

/** Hints that replace those of the client, which mention a sync. */
const AGAIN: Readonly<Record<string, string>> = {
  UPSTREAM_UNAVAILABLE: 'Check that the site is up, then run the same command again to continue.',
  UPSTREAM_THROTTLED: 'Wait a while, then run the same command again to continue.',
};

/** Describes the error that ended an import, with the secret masked. Unexpected errors are returned unchanged. */
export function describeImportError(
  error: unknown,
  { secret, signal }: { secret: string; signal: AbortSignal | undefined },
): unknown {
  if (signal?.aborted) {
    return new SortimentError('IMPORT_STOPPED', 'The import was stopped. Everything imported so far is kept.', {
      hint: 'Run the same command again to continue.',
    });
  }
  if (!isSortimentError(error)) {
    const found = describeSystemError(error);
    if (!found?.isStorage) return error;
    const hint = `${found.hint} Everything imported so far is kept. Run the same command again to continue.`;
    return new SortimentError(found.code, found.message, { hint, cause: error });
  }
  return new SortimentError(error.code, maskSecrets(error.message, [secret]), {
    hint: AGAIN[error.code] ?? error.hint,
  });
}

/** Product fields that hold the address of a document or an image. */
const PRODUCT_LINKS = PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri');

const MAX_FILE_BYTES = 64 * 1024 * 1024;

const DEADLINE_MS = 300_000;

type RunProductCommand = RunCommand<ImportCommand | 'language add' | 'language list'>;

export interface ProductImportOptions {
  /** Address of the product interface, `https://host/api/partner/v1/`. */
  address: string;
  token?: string | undefined;
  /** Account for the interface and its files. With a token, used for files only. */
  account?: Account | undefined;
  /** @default all products that the interface lists */
  gtins?: readonly string[] | undefined;
  /**
   * Language codes, or base languages for all their codes: `de` for `de-de` and `de-at`. @default all that the
   * interface lists
   */
  languages?: readonly string[] | undefined;
  /** Further addresses that documents and images may be fetched from. */
  filesFrom?: readonly string[];
  /** Runs commands of the destination origin. */
  run: RunProductCommand;
  progress?: (state: { done: number; total: number }) => void;
  signal?: AbortSignal | undefined;
  /** @default 3 */
  retries?: number;
}

interface Run {
  client: ProductClient;
  run: RunProductCommand;
  transport: Transport;
  report: ImportReport;
  hosts: readonly string[];
  credentialFor: (address: string) => Credential | undefined;
  /** Folder for fetched files. */
  folder: string;
  /** Files fetched in this run by address, with their staged name or the problem. */
  fetched: Map<string, ReturnType<typeof fetchFile>>;
}

const BATCH = 20;

/**
 * Copies new and changed products over their interface, with their documents and images. Files of unchanged records are
 * not fetched again.
 *
 * @throws SortimentError UPSTREAM_…, IMPORT_LANGUAGE_UNKNOWN, IMPORT_GTINS_MISSING. No message contains the token.
 */
export async function importProducts(options: ProductImportOptions): Promise<ImportResult> {
  const root = `${trimTrailing(displayUrl(options.address), '/')}/`;
  const { token, account, signal } = options;
  const upstream = { root, token, account };
  const transport = createTransport({ timeoutMs: 30_000, retries: options.retries ?? 3, connections: 4, signal });
  const report = createImportReport();
  try {
    const client = productClient(upstream, transport);
    const languages = await readLanguages(client, options.languages, report);
    const gtins = options.gtins ?? (await listGtins(client));
    const { folder } = await runStep(options.run, IMPORT_COMMANDS.begin, {});
    await addLanguages(options.run, languages);
    const hosts = [root, ...(options.filesFrom ?? [])];
    const credentialFor = (address: string) => fileCredential({ product: upstream }, address);
    const run: Run = { client, transport, report, hosts, credentialFor, run: options.run, folder, fetched: new Map() };
    try {
      for (let start = 0; start < gtins.length; start += BATCH) {
        await copy(run, gtins.slice(start, start + BATCH), languages);
        options.progress?.({ done: Math.min(start + BATCH, gtins.length), total: gtins.length });
      }
    } finally {
      await removeStagedFiles(folder);
    }
  } catch (error) {
    throw describeImportError(error, { secret: token ?? account?.password ?? '', signal });
  } finally {
    await transport.close();
  }
  return report.result(root);
}

async function readLanguages(client: ProductClient, wanted: readonly string[] | undefined, report: ImportReport) {
  const response = await client.languages();
  if (response.kind !== 'ok') {
    throw upstreamError(response, {
      unauthorisedHint:
        'Set SORTIMENT_IMPORT_TOKEN to a token of the interface, or --user and SORTIMENT_IMPORT_PASSWORD if it requires a user and a password.',
      addressHint: 'Use the address of the product interface itself, such as https://host/api/partner/v1/.',
    });
  }
  const { languages, problem } = response.value;
  if (problem !== undefined) report.note('product', `the list of languages ${problem}, so some may be missing`, []);
  return selectLanguages(languages, wanted);
}

async function listGtins(client: ProductClient): Promise<string[]> {
  const gtins = new Set<string>();
  const seen = new Set<string>();
  for await (const response of listProductPages(client)) {
    if (response.kind === 'unavailable' || response.kind === 'throttled') throw upstreamError(response);
    if (response.kind !== 'ok') {
      throw createListError('The interface has no product list.');
    }
    const before = seen.size;
    for (const { gtin, language } of response.value.results) {
      seen.add(`${gtin} ${language}`);
      gtins.add(gtin);
    }
    if (response.value.next !== null && seen.size === before) {
      throw createListError('The product list repeats its earlier pages.');
    }
  }
  return [...gtins];
}

function createListError(message: string): SortimentError {
  return new SortimentError('IMPORT_GTINS_MISSING', message, {
    hint: 'Pass a file with one GTIN per line: --gtins <file>.',
  });
}

async function addLanguages(
  run: RunProductCommand,
  languages: readonly { code: string; name: string }[],
): Promise<void> {
  const listed = z.object({ rows: z.array(z.object({ code: z.string() })) }).parse(await run('language list', {}));
  const known = new Set(listed.rows.map(({ code }) => code));
  for (const { code, name } of languages) if (!known.has(code)) await run('language add', { code, name });
}

async function copy(run: Run, gtins: readonly string[], languages: readonly { code: string }[]): Promise<void> {
  const requested = gtins.flatMap((gtin) => languages.map(({ code }) => ({ gtin, language: code })));
  run.report.found('product', requested.length);
  const found = (await Promise.all(requested.map(({ gtin, language }) => readRecord(run, gtin, language)))).flat();
  if (found.length === 0) return;
  const records = found.map(({ gtin, language, record }) => ({ gtin, language, record }));
  const { different } = await runStep(run.run, IMPORT_COMMANDS.productCheck, { records });
  const differentKeys = new Set(different.map(keyOf));
  const { changed = [], unchanged = [] } = Object.groupBy(found, (row) =>
    differentKeys.has(keyOf(row)) ? 'changed' : 'unchanged',
  );
  for (const row of unchanged) run.report.became('product', 'unchanged', keyOf(row));
  const complete = await Promise.all(changed.map((record) => fetchProductFiles(run, record)));
  const { outcomes } = await runStep(run.run, IMPORT_COMMANDS.productPut, { records: complete });
  for (const { outcome, note, ...row } of outcomes) run.report.became('product', outcome, keyOf(row), note);
}

const keyOf = ({ gtin, language }: { gtin: string; language: string }): string => `${gtin} ${language}`;

async function readRecord({ client, report, hosts }: Run, gtin: string, language: string): Promise<FetchedProduct[]> {
  const name = `${gtin} ${language}`;
  const response = await client.product(gtin, language);
  if (response.kind === 'gone') return skip('is unknown at the source');
  if (response.kind === 'refused') return skip('does not exist in this language');
  if (response.kind !== 'ok') throw upstreamError(response);
  const parsed = parseProduct(response.value, { gtin });
  if (!parsed.ok) {
    return skip(parsed.problems.map(({ field, problem }) => `${field} ${problem}`).join(', '));
  }
  if (parsed.product.language !== language) return skip('does not exist in this language');
  const fields: Partial<Record<ProductField, unknown>> = parsed.record;
  const wire = Object.fromEntries(
    PRODUCT_FIELDS.filter((field) => field in fields).map((field) => [field, fields[field]]),
  );
  const links = PRODUCT_LINKS.flatMap((field) => {
    const localPath = getLocalFilePath(wire[field], hosts);
    return localPath === undefined ? [] : [[field, `media/${localPath}`] as const];
  });
  return [{ gtin, language, wire, record: { ...wire, ...Object.fromEntries(links) } }];

  function skip(reason: string): FetchedProduct[] {
    report.leave('product', reason, [name]);
    return [];
  }
}

/**
 * Selects the requested languages of an interface, in its order.
 *
 * @param wanted codes, or base languages for all their codes: `de` for `de-de` and `de-at`; undefined or empty for all
 * @throws SortimentError IMPORT_LANGUAGE_UNKNOWN
 */
export function selectLanguages(listed: readonly Language[], wanted: readonly string[] | undefined): Language[] {
  if (wanted === undefined || wanted.length === 0) return [...listed];
  const unknown = wanted.filter((word) => !listed.some(({ code }) => matchesLanguage(code, word)));
  if (unknown.length === 0) return listed.filter(({ code }) => wanted.some((word) => matchesLanguage(code, word)));
  const known = listed.map(({ code }) => code).join(', ');
  throw new SortimentError(
    'IMPORT_LANGUAGE_UNKNOWN',
    `The interface has no language ${unknown.join(', ')}. Available: ${known}.`,
    { hint: 'Pass some of these to --languages, or omit it to import all.' },
  );
}

function matchesLanguage(code: string, word: string): boolean {
  const wanted = word.toLowerCase();
  return code === wanted || code.startsWith(`${wanted}-`);
}

/** A product as stored (`record`) and as received (`wire`). */
interface FetchedProduct {
  gtin: string;
  language: string;
  /** Links to copied files are paths below `media/`. */
  record: Record<string, unknown>;
  wire: Record<string, unknown>;
}

/** Fetches the files of a product. A file that fails keeps its remote address. */
async function fetchProductFiles(run: Run, { wire, record, gtin, language }: FetchedProduct): Promise<ImportProduct> {
  const files: ImportProduct['files'] = [];
  const stored = { ...record };
  for (const field of PRODUCT_LINKS) {
    if (record[field] === wire[field]) continue;
    const url = String(wire[field]);
    const limits = { maxBytes: MAX_FILE_BYTES, deadlineMs: DEADLINE_MS };
    const fetching = run.fetched.get(url) ?? fetchFile(run, url, limits);
    run.fetched.set(url, fetching);
    const fetched = await fetching;
    if ('staged' in fetched) {
      files.push({ staged: fetched.staged, path: String(record[field]).replace(/^media\//, '') });
    } else {
      stored[field] = url;
      run.report.lose('product', `its file was not copied: it could not be fetched: ${fetched.problem}`, [
        displayUrl(url),
      ]);
    }
  }
  return { gtin, language, record: stored, files };
}
