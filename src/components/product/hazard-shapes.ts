import type { HazardPictogram } from '#contracts/hazard.ts';

/** Black symbols in a square of 100, standing on its corner: drawn here, as simple as they are still recognised. */
export const HAZARD_SHAPES: Record<HazardPictogram, string> = {
  // A bursting ball and its pieces.
  GHS01:
    'M50 45a13 13 0 1 1 0 26 13 13 0 0 1 0-26Zm-3-4-5-14 3-1 6 14Zm12 1 10-13 3 2-9 14Zm7 10 13-6 1 3-13 7ZM36 50l-13-7 2-3 14 8Zm-4 11-13 3-1-3 13-3Zm37 0 13 2-1 3-13-2ZM50 22a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM27 33h6v6h-6Zm42-1h6v6h-6Z',
  // A flame over the ground.
  GHS02:
    'M30 74h40v4H30Zm20-3c-12 0-17-8-15-17 1-5 4-8 6-12 1 3 2 5 4 6-1-10 2-19 9-26-1 8 3 12 7 17 3-2 4-4 4-7 5 7 7 14 4 24-2 9-9 15-19 15Zm1-5c5 0 8-3 8-7 0-5-4-7-5-12-4 4-3 8-6 10-1-1-2-2-2-4-3 3-4 5-4 7 0 4 4 6 9 6Z',
  // A flame over a circle.
  GHS03:
    'M50 50a14 14 0 1 1 0 28 14 14 0 0 1 0-28Zm0 6a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0-9c-8 0-13-5-12-12 1-4 3-6 5-9l3 4c-1-7 2-13 7-18-1 6 2 9 5 13 2-2 3-3 3-5 4 5 5 10 3 17-2 6-6 10-14 10Z',
  // A gas cylinder, lying.
  GHS04:
    'M24 60 62 34c6-4 12-4 15 0s1 10-5 14L34 74c-3 2-6 1-8-2l-4-5c-2-3-1-5 2-7Zm-8 7 4-3 6 9-4 3c-2 1-4 1-5-1l-2-3c-1-2-1-4 1-5Z',
  // Drops onto a hand and onto metal.
  GHS05:
    'M20 26l22 8-1 4-22-8Zm38 12 22-8 1 4-22 8ZM38 42c2 3 3 4 3 6a3 3 0 0 1-6 0c0-2 1-3 3-6Zm0 10c2 3 3 4 3 6a3 3 0 0 1-6 0c0-2 1-3 3-6Zm24-7c2 3 3 4 3 6a3 3 0 0 1-6 0c0-2 1-3 3-6Zm0 9c2 3 3 4 3 6a3 3 0 0 1-6 0c0-2 1-3 3-6ZM20 66h13c1 3 3 5 5 5s4-2 5-5h5v10H20Zm33 1 4-2c0 3 2 5 5 5s5-2 5-5c5 0 9 2 13 4v4c-8-1-16 2-27-2Z',
  // A skull over crossed bones.
  GHS06:
    'M50 20c11 0 18 7 18 16 0 6-3 10-7 12v6c0 2-1 3-3 3H42c-2 0-3-1-3-3v-6c-4-2-7-6-7-12 0-9 7-16 18-16Zm-8 14a5 5 0 1 0 0 10 5 5 0 0 0 0-10Zm16 0a5 5 0 1 0 0 10 5 5 0 0 0 0-10Zm-8 10-3 6h6ZM28 58l22 8 22-8 2 5-17 6 17 6-2 5-22-8-22 8-2-5 17-6-17-6Z',
  // An exclamation mark.
  GHS07: 'M43 22h14l-3 36h-8Zm7 40a7 7 0 1 1 0 14 7 7 0 0 1 0-14Z',
  // A person with a burst in the chest.
  GHS08:
    'M50 17a9 10 0 0 1 5 18c0 4 3 5 9 7 7 2 9 6 9 13v20H27V55c0-7 2-11 9-13 6-2 9-3 9-7a9 10 0 0 1 5-18Zm0 28-4 10-8-5 3 9-9 1 8 5-5 8 9-3 2 9 4-8 7 6-2-9 9-1-7-5 6-8-9 3Z',
  // A bare tree, water and a dead fish.
  GHS09:
    'M37 24l3 8 7-6-5 10 1 6 8-7-7 11 1 18h-9l-1-22-9-7 8 3 1-4-4-9ZM16 66h26c4 4 8 5 14 4l-2 4c-12 4-26 3-38-4Zm40-7c6-8 16-9 23-2l6-5v12l-6-3c-6 5-16 5-23-2Zm8-3a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
};
