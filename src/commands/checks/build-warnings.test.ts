import { expect, it } from 'vitest';
import { formatBrokenDocuments } from './build-warnings.ts';

const broken = (i: number) => ({
  url: `https://maker.example/${i}.pdf`,
  problem: 'answered 404 Not Found',
  gtins: Array.from({ length: 5 }, (_, k) => String(k)),
});

it('names documents, why they are broken and who names them, and what to do', () => {
  const text = formatBrokenDocuments([broken(1)]);
  expect(text).toContain('https://maker.example/1.pdf answered 404 Not Found (named by 0, 1, 2 and 2 more)');
  expect(text).toMatch(/next sync tries again\.$/);
});

it('says how many it leaves out', () => {
  const text = formatBrokenDocuments(Array.from({ length: 25 }, (_, i) => broken(i)));
  expect(text.match(/answered 404/g)).toHaveLength(20);
  expect(text).toContain('and 5 more, which --json lists');
});
