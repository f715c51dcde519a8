import { formatHazardStatement, type HazardStatement } from './hazard.ts';
import type { HazardLabel } from './hazard-label.ts';
import { pickLocalized } from './localized.ts';

export interface HazardLine {
  code: HazardStatement;
  text: string;
}

/** Returns the hazard statements of a label in a language, with substances and other details filled in. */
export function hazardLines(
  { statements, contains = [] }: HazardLabel,
  language: string,
  mainLanguage: string,
): HazardLine[] {
  const localize = (texts: string | Readonly<Record<string, string>> | undefined): string | undefined =>
    typeof texts === 'object' ? pickLocalized(texts, language, mainLanguage) : texts;
  const substances = Array.isArray(contains) ? contains : (pickLocalized(contains, language, mainLanguage) ?? []);
  return statements.map(({ code, organs, effect, route }) => {
    const details = Object.entries({ organs: localize(organs), effect: localize(effect), route: localize(route) });
    const present = Object.fromEntries(
      details.flatMap(([detail, text]) => (text === undefined ? [] : [[detail, text]])),
    );
    return { code, text: formatHazardStatement(code, language, { substances: substances.join(', '), ...present }) };
  });
}
