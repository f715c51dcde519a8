/** Values of a product's uses. They are part of URLs and data files. */
export const PLACES = ['indoors', 'outdoors'] as const;

/** Substrates, as trade groups: a product that bonds to planed timber needn't bond to sawn timber. */
export const SUBSTRATES = [
  'osb',
  'chipboard',
  'planed-timber',
  'sawn-timber',
  'wood-fibre-boards',
  'gypsum-boards',
  'plaster',
  'masonry',
  'concrete',
  'metal',
  'rigid-plastics',
  'glass',
  'membranes',
] as const;

export const SEASONS = ['winter'] as const;

/** Highest lowest working temperature of a product for the winter, in °C. */
export const WINTER_FROM = -5;

/** Uses that products can be filtered by. */
export const USE_FIELDS = ['place', 'substrates', 'season'] as const;

export type UseField = (typeof USE_FIELDS)[number];
