import type { Availability } from '#contracts/product/index.ts';

/** The signs that our page draws, which stand in its component. */
export const AVAILABILITY_SHAPES: Record<Availability, string> = {
  available: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm3.2 4.2L7 9.4 4.9 7.3 3.7 8.5 7 11.8l5.4-5.4z',
  limited: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 1.6v10.8A5.4 5.4 0 0 0 8 2.6Z',
  not_available: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 1.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6ZM4.5 7.2h7v1.6h-7z',
  unknown: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 1.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6Z',
};
