import { createHash } from 'node:crypto';
import type { z } from 'zod';
import {
  IMPORT_COMMANDS,
  type ImportCommand,
  type ImportKind,
  type ImportOutcome,
  type ImportRecord,
  type ImportSettings,
  type ImportSource,
  type trackedKind,
  PRODUCT_FILE_NAME,
} from '#contracts/import.ts';

/** Runs a command of the origin, such as `import put`, locally or remotely. */
export type RunCommand = (command: ImportCommand, args: Record<string, unknown>) => Promise<unknown>;

/** Runs an import step and parses its result. */
export async function runStep<T extends z.ZodObject, A extends z.ZodObject>(
  run: RunCommand,
  { name, answers }: { name: ImportCommand; takes: T; answers: A },
  args: z.input<T>,
): Promise<z.output<A>> {
  return answers.parse(await run(name, args));
}

/** Target of an import. */
export interface Destination {
  /** Folder for fetched files that the destination picks up. */
  folder: string;
  check(
    kind: ImportKind,
    records: readonly Pick<ImportRecord, 'id' | 'digest'>[],
  ): Promise<{ unchanged: ReadonlySet<number>; known: ReadonlySet<number> }>;
  put(kind: ImportKind, records: readonly ImportRecord[]): Promise<ImportOutcome[]>;
  putSettings(settings: ImportSettings): Promise<{ outcome: string; note?: string | undefined }>;
  /** Resolves references between imported records. Returns the references that are still open. */
  settle(): Promise<{ settled: number; open: { kind: string; id: number; to: Record<string, number> }[] }>;
  /** Lists records that were imported earlier and are not among `seen`. */
  absent(kind: z.output<typeof trackedKind>, seen: readonly number[]): Promise<{ id: number; slug: string }[]>;
}

/** Opens an origin as an import destination. */
export async function openDestination(run: RunCommand, source: ImportSource): Promise<Destination> {
  const { folder } = await runStep(run, IMPORT_COMMANDS.begin, {});
  return {
    folder,
    async check(kind, records) {
      const { unchanged, known } = await runStep(run, IMPORT_COMMANDS.check, { source, kind, records: [...records] });
      return { unchanged: new Set(unchanged), known: new Set(known) };
    },
    async put(kind, records) {
      return (await runStep(run, IMPORT_COMMANDS.put, { source, kind, records: [...records] })).outcomes;
    },
    putSettings: (settings) => runStep(run, IMPORT_COMMANDS.settings, { source, settings }),
    settle: () => runStep(run, IMPORT_COMMANDS.settle, { source }),
    absent: async (kind, seen) =>
      (await runStep(run, IMPORT_COMMANDS.absent, { source, kind, seen: [...seen] })).absent,
  };
}

/** Addresses that files may be fetched from: the interface's host and further allowed ones. */
export interface FileHosts {
  address: string;
  filesFrom?: readonly string[];
}

/** Local path of a product file below `media/`; undefined for links that are not copied. */
export function getLocalFilePath(link: unknown, hosts: FileHosts): string | undefined {
  if (typeof link !== 'string' || !URL.canParse(link) || !isAllowedFileAddress(link, hosts)) return undefined;
  const { host, pathname, search } = new URL(link);
  const parts = [host, ...pathname.split('/').filter((part) => part !== '' && part !== 'media')];
  const plain = parts.map((part) =>
    decode(part)
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^[.-]+/, ''),
  );
  const name = plain.pop() ?? '';
  if (!PRODUCT_FILE_NAME.test(name) || plain.includes('')) return undefined;
  const mark = search === '' ? '' : `${createHash('sha256').update(search).digest('hex').slice(0, 8)}-`;
  return [...plain, mark + name].join('/');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function isAllowedFileAddress(url: string, { address, filesFrom = [] }: FileHosts): boolean {
  return [address, ...filesFrom].some((from) => new URL(from).origin === new URL(url).origin);
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
