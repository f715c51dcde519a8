import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ImportProduct } from '#contracts/index.ts';
import { displayUrl, type Transport } from '#client/index.ts';
import { replaceFile } from '#files/index.ts';
import type { ImportReport } from './import-report.ts';
import { isAllowed, type FileHosts } from './own-path.ts';
import { PRODUCT_LINKS } from './product-links.ts';

/** A product as it is to be kept, and as it was told. */
export interface FoundProduct {
  gtin: string;
  language: string;
  /** Links to files that are taken are paths below `media/`. */
  record: Record<string, unknown>;
  wire: Record<string, unknown>;
}

export interface FileFetching {
  transport: Transport;
  report: ImportReport;
  hosts: FileHosts;
  /** Where files are left. */
  folder: string;
  /** Files of this run by address: where they wait, or why they don't. */
  fetched: Map<string, Promise<{ staged: string } | { problem: string }>>;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const DEADLINE_MS = 300_000;

/** Fetches the files of a product; one that doesn't come keeps its address. */
export async function fetchProductFiles(
  run: FileFetching,
  { wire, record, gtin, language }: FoundProduct,
): Promise<ImportProduct> {
  const files: ImportProduct['files'] = [];
  const kept = { ...record };
  for (const field of PRODUCT_LINKS) {
    if (record[field] === wire[field]) continue;
    const url = String(wire[field]);
    const fetching = run.fetched.get(url) ?? fetchFile(run, url);
    run.fetched.set(url, fetching);
    const fetched = await fetching;
    if ('staged' in fetched) {
      files.push({ staged: fetched.staged, path: String(record[field]).replace(/^media\//, '') });
    } else {
      kept[field] = url;
      run.report.lose('product', `its file stays where it is, ${fetched.problem}`, [displayUrl(url)]);
    }
  }
  return { gtin, language, record: kept, files };
}

async function fetchFile(
  { transport, folder, hosts }: FileFetching,
  url: string,
): Promise<{ staged: string } | { problem: string }> {
  const answer = await transport.send({
    url,
    accept: '*/*',
    maxBytes: MAX_FILE_BYTES,
    deadlineMs: DEADLINE_MS,
    mayFollow: ({ href }) => isAllowed(href, hosts),
  });
  if (answer.outcome === 'failed') return { problem: `it did not come: ${answer.problem}` };
  if (answer.status !== 200) return { problem: `it did not come: ${answer.status}` };
  const staged = createHash('sha256').update(url).digest('hex').slice(0, 32);
  await replaceFile(path.join(folder, staged), answer.body);
  return { staged };
}
