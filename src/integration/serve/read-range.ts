/**
 * The part of a file that a request asks for. Other forms than `bytes=0-99` and `bytes=100-` are ignored, as RFC 9110
 * (14.2) allows, instead of read wrongly.
 */
export function readRange(range: string | undefined): { start: number; end: number | undefined } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === '') return undefined;
  const [start, end] = [Number(first), last === '' ? undefined : Number(last)];
  return end === undefined || end >= start ? { start, end } : undefined;
}
