/**
 * Labelling of hazardous mixtures by Regulation (EC) 1272/2008 (CLP), as far as mixtures for building need it: a page
 * that offers one has to name its hazards itself, a link to the safety data sheet is not enough (article 48).
 */

export const HAZARD_PICTOGRAMS = [
  'GHS01',
  'GHS02',
  'GHS03',
  'GHS04',
  'GHS05',
  'GHS06',
  'GHS07',
  'GHS08',
  'GHS09',
] as const;
export type HazardPictogram = (typeof HAZARD_PICTOGRAMS)[number];

export const SIGNAL_WORDS = ['danger', 'warning'] as const;
export type SignalWord = (typeof SIGNAL_WORDS)[number];

/** Annex III, in its order; what each says stands in `content/strings/` under `hazard.<code>`. */
export const HAZARD_STATEMENTS = [
  'H220',
  'H222',
  'H223',
  'H224',
  'H225',
  'H226',
  'H228',
  'H229',
  'H272',
  'H280',
  'H290',
  'H301',
  'H302',
  'H304',
  'H311',
  'H312',
  'H314',
  'H315',
  'H317',
  'H318',
  'H319',
  'H331',
  'H332',
  'H334',
  'H335',
  'H336',
  'H351',
  'H361',
  'H362',
  'H372',
  'H373',
  'H400',
  'H410',
  'H411',
  'H412',
  'H413',
  'EUH066',
  'EUH204',
  'EUH205',
  'EUH208',
  'EUH210',
  'EUH211',
  'EUH212',
] as const;
export type HazardStatement = (typeof HAZARD_STATEMENTS)[number];
