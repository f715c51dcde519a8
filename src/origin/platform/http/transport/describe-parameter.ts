import { z } from 'zod';
import type { ParameterProblem } from './rest-error.ts';

/** The JSON schema of a parameter or field, with the keywords that the index prints. */
export interface JsonSchema {
  $schema?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  default?: unknown;
  format?: string;
  pattern?: string;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: unknown;
  minimum?: number;
  exclusiveMinimum?: number | boolean;
  maximum?: number;
  exclusiveMaximum?: number | boolean;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  /** Names of required members. `true` marks a single parameter or member as required. */
  required?: string[] | boolean;
  oneOf?: JsonSchema[];
}

/** Keywords of {@link JsonSchema}. */
const KEYWORDS = new Set(
  [
    'title description type enum default format pattern items properties additionalProperties minimum exclusiveMinimum',
    'maximum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems required oneOf',
  ].flatMap((line) => line.split(' ')),
);

type Generated = JsonSchema & { anyOf?: Generated[]; exclusive?: unknown };

const described = { plain: new WeakMap<z.ZodType, JsonSchema>(), marked: new WeakMap<z.ZodType, JsonSchema>() };

/** True if a parameter or member is described as required: its schema or its `describedAs` requires it. */
export function isRequired(schema: z.ZodType): boolean {
  return isMarkedRequired(schema) || !schema.safeParse(undefined).success;
}

/** True if `describedAs` requires a parameter, even if requests without it are accepted. */
export function isMarkedRequired(schema: z.ZodType): boolean {
  const { describedAs } = schema.meta() ?? {};
  return typeof describedAs === 'object' && describedAs !== null && 'required' in describedAs;
}

/**
 * Describes a schema. Descriptions are cached.
 *
 * @param marksRequired lists the members of objects that callers must send
 */
export function describeParameter(schema: z.ZodType, { marksRequired = false } = {}): JsonSchema {
  const cache = described[marksRequired ? 'marked' : 'plain'];
  const cached = cache.get(schema);
  if (cached) return cached;
  const generated = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (!isStrict(zodSchema) && jsonSchema.additionalProperties !== true) delete jsonSchema.additionalProperties;
      if (!(zodSchema instanceof z.ZodObject)) return;
      const required = marksRequired ? requiredMembers(zodSchema) : [];
      if (required.length > 0) jsonSchema.required = required;
      else delete jsonSchema.required;
    },
  }) as Generated;
  const description = clean(generated);
  cache.set(schema, description);
  return description;
}

/** Returns the members that callers must send. The generated list contains those present after parsing. */
function requiredMembers({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((name) => isRequired(shape[name] as z.ZodType));
}

/** Only strict objects reject unknown members; others drop them. */
function isStrict({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type === 'object' && (def as z.core.$ZodObjectDef).catchall?._zod.def.type === 'never';
}

function clean(schema: Generated): JsonSchema {
  const { anyOf, items, properties, ...plain } = schema;
  const supported = Object.entries(plain).filter(
    ([keyword, value]) =>
      KEYWORDS.has(keyword) &&
      !isSafeIntegerBound(keyword, value) &&
      !(keyword === 'pattern' && schema.format !== undefined),
  );
  return {
    ...(anyOf ? mergeForms(anyOf.map(clean), 'exclusive' in schema) : {}),
    ...Object.fromEntries(supported),
    ...(items ? { items: clean(items) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, clean(inner)])) }
      : {}),
  };
}

/** Exclusive forms are listed under `oneOf`; others are merged into one description with several types. */
function mergeForms(forms: readonly JsonSchema[], areExclusive: boolean): JsonSchema {
  const ordered = areExclusive ? forms.toReversed() : forms;
  const types = [...new Set(ordered.flatMap(({ type }) => type ?? []))];
  const type = types.length === 1 ? types[0] : types;
  const merged: JsonSchema = areExclusive ? { oneOf: [...forms] } : Object.assign({}, ...forms);
  return { ...merged, ...(type === undefined ? {} : { type }) };
}

function isSafeIntegerBound(keyword: string, value: unknown): boolean {
  return (
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
}

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
  const bound = `${isSmall ? 'least' : 'most'} ${limit}`;
  if (issue.origin === 'array')
    return [isSmall ? 'rest_too_few_items' : 'rest_too_many_items', `${where} must contain at ${bound} items.`];
  if (issue.origin === 'string')
    return [isSmall ? 'rest_too_short' : 'rest_too_long', `${where} must be at ${bound} characters long.`];
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

/** Formats a list: `a`, `a and b`, `a, b, and c`. */
export function formatList(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  if (words.length < 2) return last;
  const initial = words.slice(0, -1);
  return initial.length === 1 ? `${initial[0]} and ${last}` : `${initial.join(', ')}, and ${last}`;
}
