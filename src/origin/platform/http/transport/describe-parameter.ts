import { z } from 'zod';

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

const KEYWORDS: ReadonlySet<string> = new Set<keyof JsonSchema>([
  'title',
  'description',
  'type',
  'enum',
  'default',
  'format',
  'pattern',
  'items',
  'properties',
  'additionalProperties',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'required',
  'oneOf',
]);

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
    ...(properties ? { properties: cleanAll(properties) } : {}),
  };
}

function cleanAll(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, clean(inner)]));
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
