import { expect, it } from 'vitest';
import { refuseImages } from './refuse-images.ts';

const astroAsset = (): unknown => Reflect.get(globalThis, 'astroAsset');

it('puts back what rendering changes of the process', () => {
  const before = astroAsset();
  const putBack = refuseImages(() => new Error('not here'));
  expect(astroAsset()).not.toEqual(before);
  putBack();
  expect(astroAsset()).toEqual(before);
});
