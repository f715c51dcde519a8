import { expect, it } from 'vitest';
import { hasUnoptimizedImage } from './sources.ts';

const state = { imageEndpoint: '/_image' };
const page = (src: string) => `<p>Übersicht</p><img src="${src}" alt="">`;

it('tells an image that a server would make from one that is there', () => {
  expect(hasUnoptimizedImage(page('/_image?href=%2F_astro%2Froof.png&#38;w=400&#38;f=webp'), state)).toBe(true);
  expect(hasUnoptimizedImage(page('/base/_image?href=%2F_astro%2Froof.png'), state)).toBe(true);
  expect(hasUnoptimizedImage(page('/_astro/roof.BX2cKu1d_Z1yQ.webp'), state)).toBe(false);
  expect(hasUnoptimizedImage(page('/made?href=%2F_astro%2Froof.png'), { imageEndpoint: '/made' })).toBe(true);
});
