/** Time zone of all displayed dates; a fixed zone makes builds reproducible. */
export const TIME_ZONE = 'Europe/Berlin';
