import { hash } from 'node:crypto';

/** A range of hash buckets, from `from` up to but excluding `to`. */
export interface HashPart {
  from: number;
  to: number;
}

const BUCKETS = 2 ** 32;

/** Returns the bucket of a name. It depends on the name alone, so that a change moves no other item. */
export function hashBucket(name: string): number {
  return hash('md5', name, 'buffer').readUInt32BE();
}

/**
 * Divides the buckets into ranges for a number of items. The number of ranges is a power of two, so that it seldom
 * changes.
 */
export function hashParts(count: number, perPart: number): HashPart[] {
  const parts = 2 ** Math.max(0, Math.ceil(Math.log2(count / perPart)));
  const size = BUCKETS / parts;
  return Array.from({ length: parts }, (_, i) => ({ from: i * size, to: (i + 1) * size }));
}

export function hasBucket(bucket: number, { from, to }: HashPart): boolean {
  return bucket >= from && bucket < to;
}

export function findParts<T extends HashPart>(parts: readonly T[], buckets: readonly number[]): T[] {
  return parts.filter((part) => buckets.some((bucket) => hasBucket(bucket, part)));
}
