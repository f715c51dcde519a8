import qs from 'qs';
import { dropNul } from './drop-nul.ts';

/** Parameters by name, as they were sent: texts, and lists and maps written with brackets. */
export type SentParameters = Record<string, unknown>;

const MAX_PARAMETERS = 1000;
const MAX_DEPTH = 6;

/** Reads `a=1&b[]=2&c[terms]=3`. A name without a value is an empty text; of a name sent twice, the last counts. */
export function parseQuery(text: string): SentParameters {
  return qs.parse(text, {
    decoder: (part, decode) => dropNul(decode(part)),
    duplicates: 'last',
    depth: MAX_DEPTH,
    arrayLimit: MAX_PARAMETERS,
    parameterLimit: MAX_PARAMETERS,
  });
}
