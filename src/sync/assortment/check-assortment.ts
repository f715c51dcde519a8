import type { FamilyRecord } from '#snapshot/index.ts';
import { readGtin, SortimentError } from '#contracts/index.ts';
import type { AssortmentLine, AssortmentProblem, ParsedAssortment } from './assortment-line.ts';

/** As in an address. */
const FAMILY_ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Merges lists and checks them.
 * @throws SortimentError ASSORTMENT_INVALID with every problem of every list.
 */
export function checkAssortment(lists: readonly ParsedAssortment[]): Assortment {
  const problems = lists.flatMap((list) => list.problems);
  const families = checkFamilies(lists, problems);
  const rows = checkLines(
    lists.flatMap(({ lines }) => lines),
    problems,
  );
  if (problems.length > 0) throw invalid(problems);
  if (rows.length === 0) {
    throw new SortimentError('ASSORTMENT_EMPTY', 'The assortment names no product.', {
      hint: 'List at least one GTIN; content/assortment/haldenwerk.yaml shows the form.',
    });
  }
  return { families: [...families.values()], rows };
}

/** Families with a description first, then those that only appear in lines. */
function checkFamilies(lists: readonly ParsedAssortment[], problems: AssortmentProblem[]): Map<string, FamilyRecord> {
  const families = new Map<string, FamilyRecord>();
  const places = new Map<string, string>();
  const add = (family: FamilyRecord, place: string) => {
    if (!FAMILY_ID.test(family.id)) {
      const problem = `the family "${family.id}" must consist of lower-case letters, digits and hyphens`;
      problems.push({ place, problem, hint: 'It is part of URLs; visitors see its names.' });
    }
    families.set(family.id, family);
    places.set(family.id, place);
  };
  for (const { place, ...family } of lists.flatMap((list) => list.families)) {
    const first = places.get(family.id);
    if (first) problems.push({ place, problem: `the family "${family.id}" is described twice, first at ${first}` });
    else add(family, place);
  }
  for (const { family: id, place } of lists.flatMap((list) => list.lines)) {
    if (id !== undefined && !families.has(id)) add({ id, names: {}, descriptions: {} }, place);
  }
  return families;
}

function checkLines(lines: readonly AssortmentLine[], problems: AssortmentProblem[]): Assortment['rows'] {
  const places = new Map<string, string>();
  return lines.flatMap(({ gtin, family, place }) => {
    const reading = readGtin(gtin);
    if (!reading.ok) {
      problems.push({ place, problem: reading.problem, hint: reading.hint });
      return [];
    }
    const first = places.get(reading.gtin13);
    if (first) {
      problems.push({
        place,
        problem: `${reading.gtin13} is listed twice, first at ${first}`,
        hint: 'Remove one of them.',
      });
      return [];
    }
    places.set(reading.gtin13, place);
    return [{ gtin: reading.gtin13, family }];
  });
}

function invalid(problems: readonly AssortmentProblem[]): SortimentError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const lines = problems.map(({ place, problem, hint }) => `  ${place} ${problem}${hint ? `. ${hint}` : ''}`);
  return new SortimentError('ASSORTMENT_INVALID', `The assortment has ${count}:\n${lines.join('\n')}`, {
    hint: 'Correct the lines named above; nothing was requested.',
  });
}

export interface Assortment {
  /** In order. */
  families: FamilyRecord[];
  /** In order; GTINs in their 13-digit form, each once. */
  rows: { gtin: string; family: string | undefined }[];
}
