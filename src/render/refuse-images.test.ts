import { expect, it } from 'vitest';
import { refuseImages } from './refuse-images.ts';

it('puts back what rendering changes of the process', () => {
  const global = () => Reflect.get(globalThis, 'astroAsset') as unknown;
  const before = global();
  const putBack = refuseImages(() => new Error('not here'));
  expect(global()).not.toEqual(before);
  putBack();
  expect(global()).toEqual(before);
});
