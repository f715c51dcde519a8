import { expect, it } from 'vitest';
import { parseProduct } from '#contracts/product/parse-product.ts';
import { collectIssues, findDrift } from './collect-issues.ts';

/** Issues that the sync reports for a record. */
function driftOf(fields: Record<string, unknown>) {
  const wire: Record<string, unknown> = {
    name: 'Band',
    gtin: '9524010000016',
    language: 'de-de',
    availability: 'available',
    ...fields,
  };
  const issues = collectIssues();
  const subject = { kind: 'product', id: '9524010000016', language: 'de-de' } as const;
  const reading = parseProduct(wire);
  for (const warning of reading.warnings) issues.warning({ ...subject, ...warning });
  for (const problem of reading.ok ? [] : reading.problems) {
    const value = problem.field
      .split(/[.[\]]+/)
      .filter(Boolean)
      .reduce<unknown>((at, step) => Object(at)[step], wire);
    issues.problem({ ...subject, ...problem, wire: value });
  }
  return findDrift(issues.list()).map(({ class: kind, field }) => [kind, field]);
}

it.each<[Record<string, unknown>, string[][]]>([
  [{}, []],
  [
    { colour: 'red', __proto: 1 },
    [
      ['new-field', 'colour'],
      ['new-field', '__proto'],
    ],
  ],
  [{ availability: 'soon' }, [['new-value', 'availability']]],
  [{ weight: { value: 1 } }, [['changed-type', 'weight']]],
  [{ folded: 'yes' }, [['changed-type', 'folded']]],
  [{ attributes: 'none' }, [['changed-type', 'attributes']]],
  [{ attributes: [{ name: 7, value: 'x' }] }, [['changed-type', 'attributes[].name']]],
  [{ materials: ['PE'] }, [['changed-type', 'materials[]']]],
  [{ name: 12 }, [['changed-type', 'name']]],
  // Bad records, not another interface.
  [{ name: '' }, []],
  [{ gtin: '9524010000017' }, []],
  [{ datasheet: 'javascript:x' }, []],
])('%o drifts: %o', (fields, drift) => {
  expect(driftOf(fields)).toEqual(drift);
});
