import { expect, it } from 'vitest';
import { valueHeading } from './product-view.ts';

const normed = { name: 'a', norm: 'EN 1928', value: 'W1' };
const stated = { name: 'b', norm: '', value: 'from +5 °C' };
const declaration_of_performance = 'https://media.example/dop.pdf';

it('calls values declared only with a norm for each and a declaration', () => {
  expect(valueHeading({ attributes: [normed], declaration_of_performance })).toBe('attribute.declared');
  expect(valueHeading({ attributes: [normed, stated], declaration_of_performance })).toBe('attribute.value');
  // As records come, and as they are read.
  for (const none of ['', undefined])
    expect(valueHeading({ attributes: [normed], declaration_of_performance: none })).toBe('attribute.value');
});
