import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where process numbers mean the same: this machine, or this container of it. */
export function processPlace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
