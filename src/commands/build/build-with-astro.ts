import { fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { PrerenderMode } from '#render/prerender-mode.ts';
import type { BuildOutput } from './build-output.ts';

export interface AstroOrder {
  root: string;
  output: BuildOutput;
  /** To be locked meanwhile. */
  lockFile: string;
  mode: Omit<PrerenderMode, 'bundleExport'>;
  /** Whether its bundle will do, for pages that are rendered here. */
  mayExport: boolean;
}

const astroAnswer = z.union([
  /** When it began to write, if it has rendered no pages. */
  z.strictObject({ bundleSinceMs: z.number().optional() }),
  z.strictObject({ error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }) }),
]);
export type AstroAnswer = z.output<typeof astroAnswer>;

const astroMessage = z.union([
  /** It is going to make the bundle and nothing else. */
  z.strictObject({ exportsBundle: z.literal(true) }),
  astroAnswer,
]);
export type AstroMessage = z.output<typeof astroMessage>;

/** Of the part of the heap that what is new goes into; Vite's memory is a tenth less, and it takes no longer. */
const SEMI_SPACE_MB = 8;

/**
 * Runs Astro's build in a process of its own, whose memory comes back when it ends. That process says on the terminal
 * what Astro says, and ends when this one does.
 * @param onExport Called before Vite starts, if pages are to be rendered here.
 * @returns When it began to write, if it has only made the bundle; undefined when it has built the site.
 * @throws SortimentError What has ended the build there.
 */
export async function buildWithAstro(
  settings: Settings,
  order: Pick<AstroOrder, 'output' | 'mode' | 'mayExport'>,
  onExport: () => void = () => undefined,
): Promise<number | undefined> {
  const given: AstroOrder = { ...order, root: settings.root, lockFile: buildPaths(settings).astroLockFile };
  const child = fork(new URL('astro-process.ts', import.meta.url), [JSON.stringify(given)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, `--max-semi-space-size=${SEMI_SPACE_MB}`],
  });
  let answer: AstroAnswer | undefined;
  child.on('message', (message) => {
    const said = astroMessage.parse(message);
    if ('exportsBundle' in said) return onExport();
    answer = said;
    // It has nothing left to do. Left to end by itself, V8 now and then waits for its own threads for ever.
    child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (!answer) {
    throw new SortimentError(
      'BUILD_FAILED',
      `The process that Astro ran in was ended by ${signal ?? `code ${code}`}.`,
      {
        hint: 'Check that the machine has enough memory: Vite takes about 700 MB.',
      },
    );
  }
  if ('error' in answer) throw new SortimentError(answer.error.code, answer.error.message, answer.error);
  return answer.bundleSinceMs;
}
