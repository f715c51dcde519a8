import type { z } from 'zod';
import { describeParameter, type JsonSchema } from './describe-parameter.ts';
import { formatList } from './format-list.ts';
import type { ParameterProblem } from './parameter-problem.ts';

/** Error codes of formats. Other formats are reported without a code. */
const FORMAT_CODES: Readonly<Record<string, string>> = {
  'date-time': 'rest_invalid_date',
  email: 'rest_invalid_email',
  uuid: 'rest_invalid_uuid',
  ipv4: 'rest_ip_address',
};

/** Describes the problem of a parameter in the terms of the interface: code, message and position. */
export function describeProblem(name: string, schema: z.ZodType, issue: z.core.$ZodIssue): ParameterProblem {
  const where = issue.path.reduce<string>((path, key) => `${path}[${String(key)}]`, name);
  const node = nodeAt(describeParameter(schema), issue.path);
  const problem = (code: string, text: string, data?: Record<string, unknown>): ParameterProblem => ({
    name,
    code,
    text,
    ...(data ? { data } : {}),
  });
  const wrongType = () => {
    const types = [node.type ?? []].flat().join(',');
    return problem('rest_invalid_type', `${where} is not of type ${types}.`, { param: where });
  };
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && issue.path.length > 0
        ? problem('rest_property_required', `${String(issue.path.at(-1))} is a required property of ${name}.`)
        : wrongType();
    case 'invalid_value':
      if (typeof issue.input !== 'string' && node.type === 'string') return wrongType();
      return problem('rest_not_in_enum', `${where} is not ${formatChoices(node.enum ?? issue.values)}.`);
    case 'too_small':
    case 'too_big':
      return problem(...describeSize(where, node, issue));
    case 'invalid_format':
      return describeFormat(problem, where, node, issue);
    case 'unrecognized_keys':
      return problem(
        'rest_additional_properties_forbidden',
        `${issue.keys[0] ?? ''} is not a valid property of ${where}.`,
      );
    case 'invalid_union':
      return wrongType();
    case 'custom': {
      const code: unknown = issue.params?.['code'];
      if (typeof code !== 'string') return { name, text: 'Invalid parameter.' };
      if (code === 'rest_duplicate_items') return problem(code, `${where} has duplicate items.`);
      // Other servers report invalid addresses without a code.
      if (code === 'rest_invalid_url') return { name, text: `${where} ${issue.message}.` };
      if (code !== 'rest_too_long') return problem(code, `${where} is not valid.`);
      return problem(code, `${where} must be at most ${String(issue.params?.['most'])} characters long.`);
    }
    default:
      return { name, text: 'Invalid parameter.' };
  }
}

function describeSize(
  where: string,
  node: JsonSchema,
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
): [code: string, text: string] {
  const isSmall = issue.code === 'too_small';
  const limit = String(isSmall ? issue.minimum : issue.maximum);
  if (issue.origin === 'array') {
    const code = isSmall ? 'rest_too_few_items' : 'rest_too_many_items';
    return [code, `${where} must contain at ${isSmall ? 'least' : 'most'} ${limit} items.`];
  }
  if (issue.origin === 'string') {
    const code = isSmall ? 'rest_too_short' : 'rest_too_long';
    return [code, `${where} must be at ${isSmall ? 'least' : 'most'} ${limit} characters long.`];
  }
  const { minimum, maximum } = node;
  const bounds =
    minimum !== undefined && maximum !== undefined
      ? `must be between ${minimum} (inclusive) and ${maximum} (inclusive)`
      : `must be ${isSmall ? 'greater' : 'less'} than or equal to ${limit}`;
  return ['rest_out_of_bounds', `${where} ${bounds}`];
}

function describeFormat(
  problem: (code: string, text: string) => ParameterProblem,
  where: string,
  node: JsonSchema,
  issue: z.core.$ZodIssueInvalidStringFormat,
): ParameterProblem {
  const code = node.format === undefined ? undefined : FORMAT_CODES[node.format];
  if (code === 'rest_invalid_date') return problem(code, 'Invalid date.');
  if (code !== undefined) return problem(code, `${where} is not a valid ${node.format}.`);
  if (issue.format !== 'regex') return { name: where, text: 'Invalid parameter.' };
  return problem('rest_invalid_pattern', `${where} does not match pattern ${node.pattern ?? issue.pattern ?? ''}.`);
}

function formatChoices(choices: readonly unknown[]): string {
  const words = choices.map(String);
  return words.length === 1 ? formatList(words) : `one of ${formatList(words)}`;
}

/** Returns the description of the member that an issue refers to. */
function nodeAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  return path.reduce<JsonSchema>((node, key) => {
    const next = typeof key === 'number' ? node.items : node.properties?.[String(key)];
    return typeof next === 'object' && !Array.isArray(next) ? (next as JsonSchema) : {};
  }, schema);
}
