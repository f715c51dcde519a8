import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlayEntry } from '#catalogue/entries/overlay-entry.ts';
import { jointUse, materialNeed, coveredAmount, unitsFor, type MaterialNeed } from './material-need.ts';

const decimal = (text: string) => ({ text, value: Number(text) });
const size = (length?: string, width?: string, area?: string) => ({
  length: length === undefined ? undefined : decimal(length),
  width: width === undefined ? undefined : decimal(width),
  area: area === undefined ? undefined : decimal(area),
});
const needOf = (measured: ReturnType<typeof size>, additions: object = {}): MaterialNeed => {
  const need = materialNeed(measured, overlayEntry.parse(additions));
  if (!need) throw new Error('nothing to calculate with');
  return need;
};
const write = (number: number) => `${Math.floor(number / 100)}.${String(number % 100).padStart(2, '0')}`;
const roll = needOf(size('50', '1.5', '75'));

describe('the need of a product', () => {
  it.each([
    ['a membrane by its area, lapped', size('50', '1.5', '75'), { kind: 'sheet', unit: 'm²', allowance: 10 }],
    ['a board by its area, cut', size('1.22', '0.575', '0.7015'), { kind: 'board', unit: 'm²', allowance: 5 }],
    ['a tape by its length', size('25', '0.06', '1.5'), { kind: 'tape', unit: 'm', content: '25' }],
  ])('is calculated for %s', (_, measured, expected) => {
    expect(materialNeed(measured, {})).toMatchObject(expected);
  });

  it.each([
    ['a grommet', size('0.145', '0.145', '0.021')],
    ['what has no size', size()],
    ['what has a size of nothing', size('50', '0', '0')],
  ])('is not guessed for %s', (_, measured) => {
    expect(materialNeed(measured, {})).toBeUndefined();
  });

  it('comes from the overlay where the size says nothing', () => {
    const coverage = { of: 'surface', perSquareMetre: 0.75 };
    expect(needOf(size(), { content: { value: 5, unit: 'kg' }, coverage })).toMatchObject({
      kind: 'surface',
      content: '5000',
      contentUnit: 'g',
      use: '750',
    });
  });

  it('is as tables of the trade have it: 600 ml fill 3 m of a joint of 20 × 10 mm, without anything extra', () => {
    const joint = { of: 'joint', allowance: 0 };
    const sausage = needOf(size(), { content: { value: 600, unit: 'ml' }, coverage: joint });
    const use = jointUse({ width: '20', depth: '10' });
    expect(use).toBe('200.00');
    expect(coveredAmount(sausage, use)).toBe('3.0');
    expect(coveredAmount({ ...sausage, content: '290' }, use)).toBe('1.4');
    expect(unitsFor(sausage, '3', use)).toBe(1);
    expect(unitsFor(sausage, '3.01', use)).toBe(2);
  });

  it('adds the overlap before it rounds up', () => {
    expect(unitsFor(roll, '68', '1')).toBe(1);
    expect(unitsFor(roll, '68.19', '1')).toBe(2);
    expect(unitsFor(roll, '500', '1')).toBe(8);
  });

  const hundredths = fc.integer({ min: 1, max: 10_000_000 });

  it('never rounds down: what is bought covers the job, and one less would not', () => {
    fc.assert(
      fc.property(hundredths, hundredths, fc.integer({ min: 0, max: 100 }), (amount, content, allowance) => {
        const need = { ...roll, content: write(content), allowance };
        const units = BigInt(unitsFor(need, write(amount), '1'));
        const [has, takes] = [BigInt(content) * 100n, BigInt(amount) * BigInt(100 + allowance)];
        expect(units * has >= takes).toBe(true);
        expect((units - 1n) * has < takes).toBe(true);
      }),
    );
  });

  it('never promises more metres than a pack fills', () => {
    fc.assert(
      fc.property(hundredths, hundredths, (content, use) => {
        const reach = coveredAmount({ ...roll, content: write(content), allowance: 25 }, write(use));
        expect(BigInt(reach.replace('.', '')) * BigInt(use) * 125n <= BigInt(content) * 1000n).toBe(true);
      }),
    );
  });
});
