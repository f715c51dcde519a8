import { hash } from 'node:crypto';

/** A part of everything that has a place by its hash: places from `from` up to, but without, `to`. */
export interface HashPart {
  from: number;
  to: number;
}

const BUCKETS = 2 ** 32;

/** Where something stands among all: the same place whatever else there is, so that a change moves no other. */
export function hashBucket(name: string): number {
  return hash('md5', name, 'buffer').readUInt32BE();
}

/** The parts that so many need: a power of two, so that most changes of the number change nothing. */
export function hashParts(count: number, perPart: number): HashPart[] {
  const parts = 2 ** Math.max(0, Math.ceil(Math.log2(count / perPart)));
  const size = BUCKETS / parts;
  return Array.from({ length: parts }, (_, i) => ({ from: i * size, to: (i + 1) * size }));
}

export function isInPart(place: number, { from, to }: HashPart): boolean {
  return place >= from && place < to;
}

/** The parts that hold one of these places. */
export function partsOf<T extends HashPart>(parts: readonly T[], places: readonly number[]): T[] {
  return parts.filter((part) => places.some((place) => isInPart(place, part)));
}
