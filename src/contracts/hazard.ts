import { HAZARD_TEXTS } from './hazard-texts.ts';

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

/** A statement by its code; those for several routes of exposure are one: `H300+H310`. */
export type HazardStatement = keyof typeof HAZARD_TEXTS;

/** Whether a code is one of annex III: the case of its letters counts (`H360Fd`). */
export function isHazardStatement(code: string): code is HazardStatement {
  return Object.hasOwn(HAZARD_TEXTS, code);
}

/** What stands where a statement leaves room: the name of a substance, organs, an effect, a route of exposure. */
export type HazardDetail = 'substances' | 'organs' | 'effect' | 'route';

/**
 * A statement in a language, `de` or `de-at`; in English where the regulation's wording in that language isn't here.
 * @param details In that language. A route of exposure stands at the end, after a blank.
 */
export function wordHazard(
  code: HazardStatement,
  language: string,
  details: Partial<Readonly<Record<HazardDetail, string>>> = {},
): string {
  const texts: Readonly<Record<string, string>> = HAZARD_TEXTS[code];
  const text = texts[language.split('-')[0] ?? ''] ?? texts['en'] ?? '';
  return text
    .replace('{route}', details.route === undefined ? '' : ` ${details.route}`)
    .replace('{substances}', () => details.substances ?? '')
    .replace(
      /\{(organs|effect)=([^{}]*)\}/,
      (_, detail: 'organs' | 'effect', stated: string) => details[detail] ?? stated,
    );
}
