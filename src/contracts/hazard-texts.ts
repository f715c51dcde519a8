import texts from './hazard-texts.json' with { type: 'json' };

/**
 * Hazard statements of annex III of Regulation (EC) No 1272/2008 (CLP) and supplemental statements, in the order and
 * wording of the regulation. `{route}`, `{organs}`, `{effect}` and `{substances}` are placeholders; the text after `=`
 * is the default. Repealed codes are omitted.
 */
export const HAZARD_TEXTS: Readonly<Record<keyof typeof texts, Readonly<Record<'de' | 'en' | 'fr', string>>>> = texts;
