import { expect, it } from 'vitest';
import { imperialMeasure, isImperial } from './measure.ts';

it.each([
  ['60', 'mm', '2.36', 'in'],
  ['50', 'm', '164.04', 'ft'],
  ['75', 'm²', '807.29', 'sq ft'],
  ['7.4', 'kg', '16.31', 'lb'],
  ['18', 'g', '0.63', 'oz'],
])('%s %s are %s %s', (text, unit, expected, other) => {
  expect(imperialMeasure({ text, unit })).toEqual({ text: expected, unit: other });
});

it('says nothing where there is no such unit, or nothing to say', () => {
  expect(imperialMeasure({ text: '5', unit: 'l' })).toBeUndefined();
  expect(imperialMeasure({ text: '0.001', unit: 'mm' })).toBeUndefined();
});

it('is for languages with or without their region', () => {
  expect(['en-gb', 'en-us', 'de-de'].map((language) => isImperial(['en'], language))).toEqual([true, true, false]);
  expect(['en-gb', 'en-us'].map((language) => isImperial(['en-us'], language))).toEqual([false, true]);
});
