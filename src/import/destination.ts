import { createHash } from 'node:crypto';
import type { z } from 'zod';
import {
  IMPORT_STEPS,
  type ImportCommand,
  type ImportKind,
  type ImportOutcome,
  type ImportRecord,
  type ImportSettings,
  type ImportSource,
  type followedKind,
  PRODUCT_FILE_NAME,
} from '#contracts/import.ts';

/** Runs a command of the origin, `import put` for one, wherever that is. */
export type RunCommand = (command: ImportCommand, args: Record<string, unknown>) => Promise<unknown>;

/** Runs a step of an import, with what it takes, and reads what it answers. */
export async function runStep<T extends z.ZodObject, A extends z.ZodObject>(
  run: RunCommand,
  { name, answers }: { name: ImportCommand; takes: T; answers: A },
  args: z.input<T>,
): Promise<z.output<A>> {
  return answers.parse(await run(name, args));
}

/** What is imported into. */
export interface Destination {
  /** Folder in which fetched files are left for it. */
  folder: string;
  check(
    kind: ImportKind,
    records: readonly Pick<ImportRecord, 'id' | 'digest'>[],
  ): Promise<{ unchanged: ReadonlySet<number>; known: ReadonlySet<number> }>;
  put(kind: ImportKind, records: readonly ImportRecord[]): Promise<ImportOutcome[]>;
  putSettings(settings: ImportSettings): Promise<{ outcome: string; note?: string | undefined }>;
  /** Joins what came over to what came after it; tells what still leads nowhere. */
  settle(): Promise<{ settled: number; open: { kind: string; id: number; to: Record<string, number> }[] }>;
  /** What came over once and is still here, other than what was seen there this time. */
  absent(kind: z.output<typeof followedKind>, seen: readonly number[]): Promise<{ id: number; slug: string }[]>;
}

/** An origin as something to import into, by the commands that it takes. */
export async function openDestination(run: RunCommand, source: ImportSource): Promise<Destination> {
  const { folder } = await runStep(run, IMPORT_STEPS.begin, {});
  return {
    folder,
    async check(kind, records) {
      const { unchanged, known } = await runStep(run, IMPORT_STEPS.check, { source, kind, records: [...records] });
      return { unchanged: new Set(unchanged), known: new Set(known) };
    },
    async put(kind, records) {
      return (await runStep(run, IMPORT_STEPS.put, { source, kind, records: [...records] })).outcomes;
    },
    putSettings: (settings) => runStep(run, IMPORT_STEPS.settings, { source, settings }),
    settle: () => runStep(run, IMPORT_STEPS.settle, { source }),
    absent: async (kind, seen) => (await runStep(run, IMPORT_STEPS.absent, { source, kind, seen: [...seen] })).absent,
  };
}

/** Where files may be fetched from: the host of the interface, and others that were named. */
export interface FileHosts {
  address: string;
  filesFrom?: readonly string[];
}

/** Where a file of a product is kept here, below `media/`; `undefined` for what isn't taken. */
export function ownPath(link: unknown, hosts: FileHosts): string | undefined {
  if (typeof link !== 'string' || !URL.canParse(link) || !isAllowed(link, hosts)) return undefined;
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

export function isAllowed(url: string, { address, filesFrom = [] }: FileHosts): boolean {
  return [address, ...filesFrom].some((from) => new URL(from).origin === new URL(url).origin);
}

/**
 * The addresses of a site that its files may be fetched from: the one that was given, and the one that it gives itself
 * if that is the same host. What a site says of itself must not send us elsewhere, into our own network for one.
 */
export function trustedAddresses(given: string, home: string): string[] {
  return URL.canParse(home) && bareHost(home) === bareHost(given) ? [home, given] : [given];
}

function bareHost(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '');
}
