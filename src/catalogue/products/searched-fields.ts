/**
 * Fields of a product that the search looks into, besides its numbers and the name of its family. What isn't named
 * here (a price, an availability) changes without the search index being rebuilt.
 */
export const SEARCHED_FIELDS = [
  'name',
  'item_number',
  'language',
  'intro',
  'application_short',
  'application',
  'advantages',
  'substrate',
  'attributes',
  'materials',
] as const;
