import { HAZARD_TEXTS } from './hazard-texts.ts';

/**
 * Labelling of hazardous mixtures by Regulation (EC) 1272/2008 (CLP), as needed for building products. An offer must
 * state the hazards on its page; a link to the safety data sheet is not enough (article 48).
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

/** Code of a hazard statement. A combined statement for several routes of exposure is one code: `H300+H310`. */
export type HazardStatement = keyof typeof HAZARD_TEXTS;

/** True if a code is listed in annex III; case-sensitive (`H360Fd`). */
export function isHazardStatement(code: string): code is HazardStatement {
  return Object.hasOwn(HAZARD_TEXTS, code);
}

/** A placeholder of a statement: substances, organs, an effect, or a route of exposure. */
export type HazardDetail = 'substances' | 'organs' | 'effect' | 'route';

/**
 * Formats a statement in a language, `de` or `de-at`. Falls back to English if the regulation's wording in that
 * language isn't included.
 * @param details Localized details. A route of exposure is appended after a space.
 */
export function formatHazardStatement(
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
