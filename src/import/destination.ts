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
} from '#contracts/index.ts';

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
