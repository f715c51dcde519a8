import { wordHazard, type HazardStatement } from './hazard.ts';
import type { HazardLabel } from './hazard-label.ts';
import { localized } from './localized.ts';

export interface HazardLine {
  code: HazardStatement;
  text: string;
}

/** Hazard statements as the label has them in a language, with the substances and organs that they name. */
export function hazardLines(
  { statements, contains = [] }: HazardLabel,
  language: string,
  mainLanguage: string,
): HazardLine[] {
  const said = (words: string | Readonly<Record<string, string>> | undefined): string | undefined =>
    typeof words === 'object' ? localized(words, language, mainLanguage) : words;
  const substances = Array.isArray(contains) ? contains : (localized(contains, language, mainLanguage) ?? []);
  return statements.map(({ code, organs, effect, route }) => {
    const details = Object.entries({ organs: said(organs), effect: said(effect), route: said(route) });
    const given = Object.fromEntries(details.flatMap(([detail, text]) => (text === undefined ? [] : [[detail, text]])));
    return { code, text: wordHazard(code, language, { substances: substances.join(', '), ...given }) };
  });
}
