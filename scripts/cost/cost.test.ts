import { expect, test } from 'vitest';
import { attackExpression } from './attack-expression.ts';
import { expressionsIn, readSources } from './find-sources.ts';
import { countRegExpSteps } from './regexp-steps.ts';

test('a backtracking machine finds what the engine finds, and its steps tell which expressions are dangerous', () => {
  const found = countRegExpSteps(/(?<=\d)x(\w+)-\1$/, 'a 2xab-ab', 0, 1000);
  expect([found.start, found.end]).toEqual([3, 9]);
  expect(attackExpression(/\s+$/)).toBeDefined();
  expect(attackExpression(/<a [^>]*>/g)).toBeDefined();
  expect(attackExpression(/(a+)+b/)).toBeDefined();
  expect(attackExpression(/<[^<>]*>/g)).toBeUndefined();
  expect(attackExpression(/^\s*(\w+)\s*$/)).toBeUndefined();
});

// Whose text it is given is seen nowhere in the code, and changes: so all of them have to bear any text.
test(
  'no regular expression of the program takes more than n log n steps, whatever it reads',
  { timeout: 300_000 },
  () => {
    const expressions = new Map<string, { expression: RegExp; where: string }>();
    for (const found of readSources().flatMap(expressionsIn)) expressions.set(String(found.expression), found);
    expect(expressions.size).toBeGreaterThan(300);
    const slow = [...expressions.values()].flatMap(({ expression, where }) => {
      const attack = attackExpression(expression);
      return attack === undefined ? [] : [`${where}: ${String(expression)} with ${JSON.stringify(attack)}`];
    });
    expect(slow).toEqual([]);
  },
);
