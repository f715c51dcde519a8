import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const DOCS = path.resolve(import.meta.dirname, '../../content/docs');
const page = readFileSync(path.join(DOCS, 'sync-guarantees.md'), 'utf8');
const rows = [...page.matchAll(/\| \[([^\]]+)\]\(([^)]+\.test\.ts)\)/g)].map(([, name = '', file = '']) => ({
  name,
  file,
}));

describe('each guarantee in content/docs/sync-guarantees.md', () => {
  it('is there', () => {
    expect(rows.length).toBeGreaterThanOrEqual(40);
  });

  it.each(rows)('has a test: $name', ({ name, file }) => {
    const tests = readFileSync(path.join(DOCS, file), 'utf8');
    expect(tests, `${file} leaves tests out`).not.toMatch(
      /\b(?:it|test|describe)\.(?:skip|skipIf|runIf|todo|only|fails)\b/,
    );
    const at = tests.indexOf(name);
    expect(at, `${file} has no test of that name`).toBeGreaterThan(-1);
    // Caller: the last line before it that starts a test or a group.
    const call =
      tests
        .slice(0, at)
        .split(/\n(?=\s*(?:it|test|describe)\b)/)
        .at(-1) ?? '';
    expect(call.trim(), `${file} does not run that test`).toMatch(/^(?:it|test|describe)(?:\.each\b[^]*)?\(/);
  });
});
