import { expect, it } from 'vitest';
import { endedChildrenTicks, residentKilobytes } from './read-proc.ts';

it('reads the time of ended children behind a name that looks like fields', () => {
  const stat = '17 (a) 9 (b) S 1 17 17 0 -1 4194304 99 88 0 0 5 6 120 34 20 0 11 0 100 1000 200';
  expect(endedChildrenTicks(stat)).toBe(154);
});

it('reads the memory of a process, and none of one that has ended', () => {
  expect(residentKilobytes('Name:\tnode\nVmHWM:\t  900 kB\nVmRSS:\t  812 kB\n')).toBe(812);
  expect(residentKilobytes('Name:\tnode\nState:\tZ (zombie)\n')).toBe(0);
});
