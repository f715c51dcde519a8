/** Dates are days at the maker's desk; one zone for all pages keeps builds the same everywhere. */
export const TIME_ZONE = 'Europe/Berlin';
