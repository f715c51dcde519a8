import type { FamilyRecord } from '#snapshot/index.ts';
import { parseGtin, SortimentError } from '#contracts/index.ts';

/** Format of an id, which is part of URLs. */
const FAMILY_ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Merges and validates lists.
 * @throws SortimentError ASSORTMENT_INVALID with all problems of all lists.
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
    throw new SortimentError('ASSORTMENT_EMPTY', 'The assortment lists no products.', {
      hint: 'List at least one GTIN. See content/assortment/haldenwerk.yaml for the format.',
    });
  }
  return { families: [...families.values()], rows };
}

/** Collects families with a description first, then those that only appear in lines. */
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
    const parsed = parseGtin(gtin);
    if (!parsed.ok) {
      problems.push({ place, problem: parsed.problem, hint: parsed.hint });
      return [];
    }
    const first = places.get(parsed.gtin13);
    if (first) {
      problems.push({
        place,
        problem: `${parsed.gtin13} is listed twice, first at ${first}`,
        hint: 'Remove one of them.',
      });
      return [];
    }
    places.set(parsed.gtin13, place);
    return [{ gtin: parsed.gtin13, family }];
  });
}

function invalid(problems: readonly AssortmentProblem[]): SortimentError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const lines = problems.map(({ place, problem, hint }) => `  ${place} ${problem}${hint ? `. ${hint}` : ''}`);
  return new SortimentError('ASSORTMENT_INVALID', `The assortment has ${count}:\n${lines.join('\n')}`, {
    hint: 'Correct these lines. Nothing was requested.',
  });
}

export interface Assortment {
  families: FamilyRecord[];
  /** In list order, without duplicates. GTINs have 13 digits. */
  rows: { gtin: string; family: string | undefined }[];
}

/** A listed product before validation. */
interface AssortmentLine {
  /** As written in the list. */
  gtin: string;
  family: string | undefined;
  /** File and line, such as `content/assortment/haldenwerk.yaml:12`. */
  place: string;
}

/** A family as described in a list. */
interface AssortmentFamily {
  id: string;
  names: Record<string, string>;
  descriptions: Record<string, string>;
  highlights?: string[][] | undefined;
  place: string;
}

/** A problem in a list. */
interface AssortmentProblem {
  place: string;
  problem: string;
  /** How to fix it, if the problem alone doesn't say. */
  hint?: string;
}

/** Content of a list in its order, with all format problems. */
export interface ParsedAssortment {
  families: AssortmentFamily[];
  lines: AssortmentLine[];
  problems: AssortmentProblem[];
}
