import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml';
import { z } from 'zod';
import { readValue } from '#contracts/index.ts';
import { languageCode } from '#contracts/product/index.ts';
import type { ParsedAssortment } from './assortment-line.ts';

/** Language, with or without region -> text. */
const texts = z.record(z.string(), z.string().min(1, { error: 'is empty' })).superRefine((map, ctx) => {
  for (const key of Object.keys(map).filter((code) => !languageCode.safeParse(code).success)) {
    ctx.addIssue({ code: 'custom', path: [key], message: 'is not a language such as "de" or "de-de"' });
  }
});

/** A norm or the key of an attribute, or several that mean one property. */
const highlight = z.preprocess(
  (written) => (typeof written === 'string' ? [written] : written),
  z
    .array(z.string().trim().min(1, { error: 'is empty' }), {
      error: 'is neither a norm, such as EN 1931, nor a list of norms in brackets',
    })
    .min(1, { error: 'is empty' }),
);

const assortmentFile = z.strictObject({
  families: z.array(
    z.strictObject({
      id: z.string(),
      names: texts,
      descriptions: texts.default({}),
      highlights: z.array(highlight).optional(),
      gtins: z.array(z.string()),
    }),
  ),
});

/** Reads a list in YAML: `families: [{ id, names, descriptions?, highlights?, gtins }]`. @param file Name for the places. */
export function parseAssortmentYaml(text: string, file: string): ParsedAssortment {
  const lineCounter = new LineCounter();
  // With every scalar a text, a GTIN keeps its leading zeros.
  const document = parseDocument(text, { schema: 'failsafe', lineCounter, prettyErrors: false });
  const placeAt = (offset: number) => `${file}:${lineCounter.linePos(offset).line}`;
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) => ({
      place: placeAt(pos[0]),
      problem: `is not valid YAML: ${message}`,
    }));
    return { families: [], lines: [], problems };
  }
  const placeOf = (path: readonly string[]) => placeAt(offsetOf(document.contents, path));
  const reading = readValue(assortmentFile, document.toJS() ?? {});
  if (!reading.ok) {
    const problems = reading.problems.map(({ field, problem }) => ({
      place: placeOf(field.split(/[.[\]]+/).filter(Boolean)),
      problem: `${field || 'the list'} ${problem}`,
    }));
    return { families: [], lines: [], problems };
  }
  const { families } = reading.value;
  return {
    families: families.map(({ id, names, descriptions, highlights }, i) => ({
      id,
      names,
      descriptions,
      ...(highlights ? { highlights } : {}),
      place: placeOf(['families', String(i)]),
    })),
    lines: families.flatMap(({ id, gtins }, i) =>
      gtins.map((gtin, j) => ({ gtin, family: id, place: placeOf(['families', String(i), 'gtins', String(j)]) })),
    ),
    problems: [],
  };
}

/** Where a value stands in the text; for a missing or unknown member, the nearest thing around it. */
function offsetOf(contents: Node | null, path: readonly string[]): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const step of path) {
    let found: Node | undefined;
    if (isMap(node)) {
      const pair = node.items.find((item) => keyOf(item) === step);
      if (pair && isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      found = pair && isNode(pair.value) ? pair.value : undefined;
    } else if (isSeq(node)) {
      const item = node.items[Number(step)];
      found = isNode(item) ? item : undefined;
      offset = found?.range?.[0] ?? offset;
    }
    node = found;
  }
  return offset;
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}
