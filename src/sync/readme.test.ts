import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const readme = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');
const rows = [...readme.matchAll(/\| \[([^\]]+)\]\(([^)]+\.test\.ts)\)/g)].map(([, name = '', file = '']) => ({
  name,
  file,
}));

describe('each promise of the README', () => {
  it('is there', () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows)('has a test: $name', ({ name, file }) => {
    const tests = readFileSync(path.join(import.meta.dirname, file), 'utf8');
    expect(tests.includes(name), `${file} has no test of that name`).toBe(true);
  });
});
