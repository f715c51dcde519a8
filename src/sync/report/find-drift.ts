import { attribute, material, product } from '#contracts/product/index.ts';
import type { IssueGroup, SyncReport } from './sync-report.ts';

/** Deviation of the product interface from the contract. */
export type DriftClass = 'new-field' | 'new-value' | 'changed-type';

export interface Drift extends IssueGroup {
  class: DriftClass;
}

/**
 * Finds issues that indicate a changed interface instead of a bad record: unknown fields, values outside a closed list,
 * or other JSON types.
 */
export function findDrift({ problems, warnings }: Pick<SyncReport, 'problems' | 'warnings'>): Drift[] {
  return [
    ...warnings.flatMap((group) => withClass(group, classifyWarning(group))),
    ...problems.flatMap((group) => withClass(group, classifyProblem(group))),
  ];
}

/** Filters out warnings about the interface. */
export function excludeDrift(warnings: readonly IssueGroup[]): IssueGroup[] {
  return warnings.filter((group) => classifyWarning(group) === undefined);
}

function withClass(group: IssueGroup, found: DriftClass | undefined): Drift[] {
  return found === undefined ? [] : [{ ...group, class: found }];
}

function classifyWarning({ kind, field }: IssueGroup): DriftClass | undefined {
  if (kind !== 'product' || field === '') return undefined;
  const schema = schemaOf(field);
  if (!schema) return 'new-field';
  return field === 'availability' ? 'new-value' : undefined;
}

function classifyProblem({ kind, field, sample }: IssueGroup): DriftClass | undefined {
  const schema = kind === 'product' ? schemaOf(field) : undefined;
  const type = typeOf(sample.wire);
  if (!schema || type === undefined) return undefined;
  return EXAMPLES[type].some((example) => schema.safeParse(example).success) ? undefined : 'changed-type';
}

type WireType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** Sample values of each type. Every schema for the type accepts one of them. */
const EXAMPLES: Record<WireType, readonly unknown[]> = {
  string: ['', 'x', 'de-de', '9524010000016', 'available'],
  number: [1],
  boolean: [true],
  null: [null],
  array: [[]],
  object: [{ name: 'x', value: 'x' }],
};

/** Detects the type from the beginning of a sample's shortened JSON. */
function typeOf(wire: string | undefined): WireType | undefined {
  switch (wire?.[0]) {
    case undefined:
      return undefined;
    case '"':
      return 'string';
    case '[':
      return 'array';
    case '{':
      return 'object';
    case 'n':
      return 'null';
    case 't':
    case 'f':
      return 'boolean';
    default:
      return 'number';
  }
}

interface Parsing {
  safeParse(value: unknown): { success: boolean };
}

const SCHEMAS: Readonly<Record<string, Parsing>> = {
  ...product.shape,
  'attributes[]': attribute,
  'materials[]': material,
  ...prefixKeys('attributes[]', attribute.shape),
  ...prefixKeys('materials[]', material.shape),
};

function prefixKeys(list: string, shape: Record<string, Parsing>): Record<string, Parsing> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [`${list}.${name}`, schema]));
}

function schemaOf(field: string): Parsing | undefined {
  return Object.hasOwn(SCHEMAS, field) ? SCHEMAS[field] : undefined;
}
