import { spawn } from 'node:child_process';
import { SortimentError } from '#contracts/index.ts';
import { childCpuSeconds, treeMegabytes } from './read-proc.ts';

export interface Command {
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export interface Measurement {
  /** Wall clock, from the start of the process to its end. */
  seconds: number;
  /** Of all its processes, user and system; undefined on machines that don't tell. */
  cpuSeconds: number | undefined;
  /** Highest sum of what its processes had in memory; memory that they share counts for each. Undefined likewise. */
  megabytes: number | undefined;
}

export interface MeasuredProcess extends Measurement {
  /** The end of what it printed. */
  output: string;
}

const SAMPLE_EVERY_MS = 40;
const KEPT_CHARACTERS = 2000;

/**
 * Runs a program to its end. Nothing else may be started meanwhile: its time would be counted too.
 * @throws Error when it fails, with the end of what it printed; SortimentError STOPPED when the signal is aborted.
 */
export async function measureProcess(command: Command, signal?: AbortSignal): Promise<MeasuredProcess> {
  refuseWhenStopped(signal);
  const cpuBefore = childCpuSeconds();
  const begun = performance.now();
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal, killSignal: 'SIGKILL' }),
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-KEPT_CHARACTERS));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let peak: number | undefined;
  const sample = (): void => {
    const megabytes = child.pid === undefined ? undefined : treeMegabytes(child.pid);
    if (megabytes !== undefined) peak = Math.max(peak ?? 0, megabytes);
  };
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  try {
    const { code, seconds } = await new Promise<{ code: number | null; seconds: number }>((resolve, reject) => {
      let seconds = 0;
      // An aborted child still has to end.
      child.once('error', (error) => (child.pid === undefined ? reject(error) : undefined));
      child.once('exit', () => (seconds = (performance.now() - begun) / 1000));
      child.once('close', (code) => resolve({ code, seconds }));
    });
    refuseWhenStopped(signal);
    if (code !== 0) throw new Error(`${[command.file, ...command.args].join(' ')} ended with ${code}:\n${output}`);
    const cpuAfter = childCpuSeconds();
    const cpuSeconds = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
    return { seconds, cpuSeconds, megabytes: peak, output };
  } finally {
    clearInterval(timer);
  }
}

function refuseWhenStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SortimentError('STOPPED', 'The measurement was stopped.');
}
