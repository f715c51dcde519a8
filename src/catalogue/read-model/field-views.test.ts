import { expect, it } from 'vitest';
import { describeInvalidFields } from './field-views.ts';

it('shortens an invalid value and masks its credentials', () => {
  const wire = `https://user:secret@host.example/${'9'.repeat(30_000)}`;
  const text = describeInvalidFields([
    { field: 'sheet', gtin: '9524010000016', language: 'de-de', wire, problem: 'is no address' },
  ]);
  expect(text).toContain('9524010000016 de-de: "https://host.example/999');
  expect(text.length).toBeLessThan(600);
});
