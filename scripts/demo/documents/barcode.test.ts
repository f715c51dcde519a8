import { expect, it } from 'vitest';
import { ean13Modules } from './barcode.ts';

it('encodes 4003994155486 as ISO/IEC 15420 does: first digit by the parity of the left half', () => {
  const left = ['0001101', '0100111', '0111101', '0001011', '0010111', '0011101'];
  const right = ['1100110', '1001110', '1001110', '1011100', '1001000', '1010000'];
  expect(ean13Modules('4003994155486')).toBe(`101${left.join('')}01010${right.join('')}101`);
});
