import { styleText } from 'node:util';
import { Presets, SingleBar, type Params } from 'cli-progress';
import type { ImportKind } from '#contracts/import.ts';
import type { SyncLogger, SyncProgress } from '#sync/sync-options.ts';

export interface Terminal {
  /** Writes to stderr: stdout is reserved for results. */
  logger: SyncLogger;
  /** Shows progress: a bar on a terminal, occasional lines elsewhere. */
  progress(state: Progress): void;
  /** Removes the bar; call it before printing a result. */
  done(): void;
}

export interface Progress {
  stage: keyof typeof STAGES;
  done: number;
  total: number | undefined;
}

const PLAIN_EVERY_MS = 5000;
const BAR_WIDTH = 40;
const STAGES = {
  products: 'Products',
  publishing: 'Posts, pages and media',
  assets: 'Images and documents',
  user: 'Users',
  category: 'Categories and tags',
  tag: 'Tags',
  media: 'Media',
  page: 'Pages',
  post: 'Posts',
  podcast: 'Podcast',
  show: 'Shows',
  episode: 'Episodes',
  comment: 'Comments',
  product: 'Products',
} satisfies Record<SyncProgress['stage'] | ImportKind | 'product', string>;

export function createTerminal({ quiet, verbose }: { quiet: boolean; verbose: boolean }): Terminal {
  const { stderr } = process;
  const bar = stderr.isTTY && !quiet ? createBar() : undefined;
  let stage: Progress['stage'] | undefined;
  let lastOutput = Date.now();
  const done = (): void => {
    bar?.stop();
    stage = undefined;
  };
  const writeLine = (text: string): void => {
    done();
    stderr.write(`${text}\n`);
  };
  const colour = (name: 'yellow' | 'red', text: string): string => styleText(name, text, { stream: stderr });
  return {
    logger: {
      debug: (message) => verbose && writeLine(message),
      info: (message) => !quiet && writeLine(message),
      warn: (message) => writeLine(colour('yellow', message)),
      error: (message) => writeLine(colour('red', message)),
    },
    progress(state) {
      if (quiet) return;
      const { done: count, total } = state;
      if (bar) {
        if (stage !== state.stage) bar.start(total ?? 0, count, { stage: STAGES[state.stage] });
        else bar.update(count);
        bar.setTotal(total ?? 0);
        stage = state.stage;
      } else if (Date.now() - lastOutput > PLAIN_EVERY_MS) {
        lastOutput = Date.now();
        stderr.write(`${STAGES[state.stage]}: ${count}${total === undefined ? '' : ` of ${total}`}\n`);
      }
    },
    done,
  };
}

function createBar(): SingleBar {
  const options = { stream: process.stderr, hideCursor: true, clearOnComplete: true, format: formatBar };
  return new SingleBar(options, Presets.legacy);
}

/** Formats a bar if the total is known; a total of 0 means unknown. */
export function formatBar(
  _options: unknown,
  { value, total, progress }: Pick<Params, 'value' | 'total' | 'progress'>,
  { stage }: { stage: string },
): string {
  if (total === 0) return `${stage}: ${value}`;
  const filled = Math.round(Math.min(1, progress) * BAR_WIDTH);
  return `${stage} [${'='.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${value} of ${total}`;
}
