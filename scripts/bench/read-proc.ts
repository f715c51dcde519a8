import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100;

/**
 * Processor time of all children of this process that have ended, and of theirs, in seconds; undefined where there is
 * no `/proc`.
 */
export function childCpuSeconds(): number | undefined {
  const stat = readProc('self/stat');
  return stat === undefined ? undefined : endedChildrenTicks(stat) / TICKS_PER_SECOND;
}

/** Processor time that a process has used, in seconds; undefined where there is no `/proc`, or when it is gone. */
export function processCpuSeconds(pid: number): number | undefined {
  const stat = readProc(`${pid}/stat`);
  const [, , , , , , , , , , , user, system] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return stat === undefined ? undefined : (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

/** What a process and all below it have in memory now; undefined where there is no `/proc`, or when it is gone. */
export function treeMegabytes(pid: number): number | undefined {
  const status = readProc(`${pid}/status`);
  if (status === undefined) return undefined;
  const below = childrenOf(pid).map((child) => treeMegabytes(child) ?? 0);
  return below.reduce((sum, megabytes) => sum + megabytes, residentKilobytes(status) / 1024);
}

/** `cutime` and `cstime` of `/proc/<pid>/stat`, whose second field is a name in brackets that may hold anything. */
export function endedChildrenTicks(stat: string): number {
  const [, , , , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(user) + Number(system);
}

/** `VmRSS` of `/proc/<pid>/status`; a process that has just ended has none. */
export function residentKilobytes(status: string): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}

/** The most that a process itself has had in memory so far; undefined likewise. */
export function peakMegabytes(pid: number): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    (readProc(`${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
