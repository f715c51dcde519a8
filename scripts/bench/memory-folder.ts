import { existsSync, statfsSync } from 'node:fs';

const PLACE = '/dev/shm';
/** Of Linux: what `tmpfs` says of itself. */
const TMPFS = 0x01_02_19_94;

/** The system's folder in memory, where it has one. */
export function memoryFolder(): string | undefined {
  return existsSync(PLACE) && isInMemory(PLACE) ? PLACE : undefined;
}

export function isInMemory(folder: string): boolean {
  return statfsSync(folder).type === TMPFS;
}
