import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SortimentError } from '#contracts/index.ts';

export interface Measurement {
  /** Wall clock, from the start of the process to its end. */
  seconds: number;
  /** Peak resident memory of the process and its descendants; undefined without `/proc`. */
  peakMegabytes: number | undefined;
}

const SAMPLE_INTERVAL_MS = 40;
/** Success, and that of commands that have changed something. */
const EXIT_CODES = [0, 10];

/** Runs Node with these arguments to its end. @throws Error with the output if it fails */
export async function measureNode(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Measurement & { stdout: string }> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { ...options, killSignal: 'SIGKILL', stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr, seconds] = ['', '', 0];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let peakMegabytes: number | undefined;
  const timer = setInterval(() => {
    const resident = residentMegabytes(child.pid ?? 0);
    if (resident !== undefined) peakMegabytes = Math.max(peakMegabytes ?? 0, resident);
  }, SAMPLE_INTERVAL_MS);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      // An aborted process still has to end.
      child.once('error', (error) => child.pid ?? reject(error));
      child.once('exit', () => (seconds = (performance.now() - start) / 1000));
      child.once('close', resolve);
    });
    rejectStopped(options.signal);
    if (!EXIT_CODES.includes(code)) throw new Error(`${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return { seconds, peakMegabytes, stdout };
  } finally {
    clearInterval(timer);
  }
}

/** @throws SortimentError STOPPED if the signal is aborted */
export function rejectStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new SortimentError('STOPPED', 'The benchmark was stopped.');
}

/** Returns the resident memory of a process and its descendants; undefined without `/proc`, or if it has ended. */
export function residentMegabytes(pid: number): number | undefined {
  const status = readProc(`${pid}/status`);
  if (status === undefined) return undefined;
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  // The main thread starts the processes of this project.
  const children = readProc(`${pid}/task/${pid}/children`)?.split(' ') ?? [];
  return children.reduce((sum, child) => sum + (child ? (residentMegabytes(Number(child)) ?? 0) : 0), own);
}

/** Returns the CPU time of a process in seconds; NaN without `/proc`. */
export function cpuSeconds(pid: number): number {
  const stat = readProc(`${pid}/stat`) ?? '';
  // The name in parentheses may contain anything. Linux counts in hundredths of a second.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
