import { z } from 'zod';
import {
  importCheck,
  importOutcome,
  type ImportKind,
  type ImportOutcome,
  type ImportRecord,
  type ImportSettings,
  type ImportSource,
} from '#contracts/index.ts';

/** Runs a command of the origin, `import put` for one, wherever that is. */
export type RunCommand = (
  command: `import ${'begin' | 'check' | 'put' | 'settings' | 'settle' | 'absent'}`,
  args: Record<string, unknown>,
) => Promise<unknown>;

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
  absent(kind: ImportKind, seen: readonly number[]): Promise<{ id: number; slug: string }[]>;
}

const begun = z.object({ folder: z.string() });
const put = z.object({ outcomes: z.array(importOutcome) });
const settings = z.object({ outcome: z.string(), note: z.string().optional() });
const settled = z.object({
  settled: z.int(),
  open: z.array(z.object({ kind: z.string(), id: z.int(), to: z.record(z.string(), z.int()) })),
});

const missed = z.object({ absent: z.array(z.object({ id: z.int(), slug: z.string() })) });

/** An origin as something to import into, by the commands that it takes. */
export async function openDestination(run: RunCommand, source: ImportSource): Promise<Destination> {
  const { folder } = begun.parse(await run('import begin', {}));
  return {
    folder,
    async check(kind, records) {
      const { unchanged, known } = importCheck.parse(await run('import check', { source, kind, records }));
      return { unchanged: new Set(unchanged), known: new Set(known) };
    },
    put: async (kind, records) => put.parse(await run('import put', { source, kind, records })).outcomes,
    putSettings: async (told) => settings.parse(await run('import settings', { source, settings: told })),
    settle: async () => settled.parse(await run('import settle', { source })),
    absent: async (kind, seen) => missed.parse(await run('import absent', { source, kind, seen })).absent,
  };
}
