import type { CheckId } from '../types.ts';
import english from './english.json' with { type: 'json' };
import french from './french.json' with { type: 'json' };
import german from './german.json' with { type: 'json' };

type AllTexts = typeof english & typeof french & typeof german;

/** Advice by check and outcome. Placeholders in braces are filled with the measured and recommended values. */
export type Advice = { readonly [Id in CheckId]: Readonly<Record<keyof AllTexts[Id], string>> };

export const ENGLISH_ADVICE: Advice = english;
export const FRENCH_ADVICE: Advice = french;
export const GERMAN_ADVICE: Advice = german;
