import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import type { Transport } from '#client/create-transport.ts';
import type { Credential } from '#client/credential.ts';
import type { TransportRequest } from '#client/exchange.ts';
import { decodePercent } from '#contracts/index.ts';
import { type ImportCommand, type ImportSource, PRODUCT_FILE_NAME } from '#contracts/import.ts';
import { replaceFile } from '#files/replace-file.ts';

/** Runs a command of the origin, such as `import put`, locally or remotely. */
export type RunCommand<Command extends string = ImportCommand> = (
  command: Command,
  args: Record<string, unknown>,
) => Promise<unknown>;

export async function runStep<T extends z.ZodObject, A extends z.ZodObject>(
  run: RunCommand,
  { name, answers }: { name: ImportCommand; takes: T; answers: A },
  args: z.input<T>,
): Promise<z.output<A>> {
  return answers.parse(await run(name, args));
}

/** Runs a step of an import from one source. */
export type RunStep = <T extends z.ZodObject, A extends z.ZodObject>(
  step: { name: ImportCommand; takes: T; answers: A },
  args: Omit<z.input<T>, 'source'>,
) => Promise<z.output<A>>;

export function stepsFrom(source: ImportSource, run: RunCommand): RunStep {
  return (step, args) => runStep(run, step, { ...args, source } as never);
}

interface FileSource {
  transport: Transport;
  credentialFor: (address: string) => Credential | undefined;
  /** Folder for fetched files that the destination picks up. */
  folder: string;
  /** Addresses that files may be fetched from. */
  hosts: readonly string[];
}

/** Fetches a file for the destination. @returns its staged name or the problem */
export async function fetchFile(
  { transport, credentialFor, folder, hosts }: FileSource,
  url: string,
  limits: Pick<TransportRequest, 'maxBytes' | 'deadlineMs'>,
): Promise<{ staged: string } | { problem: string; isServerFailure: boolean }> {
  const mayFollow = ({ href }: URL): boolean => isAllowedFileAddress(href, hosts);
  const response = await transport.send({ url, accept: '*/*', credential: credentialFor(url), mayFollow, ...limits });
  if (response.outcome === 'failed') return { problem: response.problem, isServerFailure: response.transient };
  if (response.status !== 200) return { problem: String(response.status), isServerFailure: response.status >= 500 };
  const staged = createHash('sha256').update(url).digest('hex').slice(0, 32);
  await replaceFile(path.join(folder, staged), response.body);
  return { staged };
}

/** Removes fetched files that were not used, including those of killed imports. */
export async function removeStagedFiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (/^[\da-f]{32}$/.test(name)) await rm(path.join(folder, name), { force: true });
}

/** Local path of a product file below `media/`; undefined for links that are not copied. */
export function getLocalFilePath(link: unknown, hosts: readonly string[]): string | undefined {
  if (typeof link !== 'string' || !URL.canParse(link) || !isAllowedFileAddress(link, hosts)) return undefined;
  const { host, pathname, search } = new URL(link);
  const parts = [host, ...pathname.split('/').filter((part) => part !== '' && part !== 'media')];
  const plain = parts.map((part) =>
    decodePercent(part)
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^[.-]+/, ''),
  );
  const name = plain.pop() ?? '';
  if (!PRODUCT_FILE_NAME.test(name) || plain.includes('')) return undefined;
  const mark = search === '' ? '' : `${createHash('sha256').update(search).digest('hex').slice(0, 8)}-`;
  return [...plain, mark + name].join('/');
}

export function fileName(address: string): string {
  return decodePercent(new URL(address).pathname.split('/').at(-1) ?? '');
}

/** @param hosts addresses that files may be fetched from: the interface's host and further allowed ones */
export function isAllowedFileAddress(url: string, hosts: readonly string[]): boolean {
  return hosts.some((host) => new URL(host).origin === new URL(url).origin);
}

/**
 * Returns the addresses that a site's files may be fetched from: the given one, and the site's own `home` if it is on
 * the same host. Any other `home` could point into the local network.
 */
export function listTrustedAddresses(address: string, home: string): string[] {
  return URL.canParse(home) && bareHost(home) === bareHost(address) ? [home, address] : [address];
}

function bareHost(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '');
}
