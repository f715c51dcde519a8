import { attribute, material, product } from '#contracts/product/index.ts';
import type { IssueGroup, SyncReport } from './sync-report.ts';

/** How the product interface deviates from the contract. */
export type DriftClass = 'new-field' | 'new-value' | 'changed-type';

export interface Drift extends IssueGroup {
  class: DriftClass;
}

/**
 * Picks the issues that show that the interface has changed, rather than that a record is bad: a field that the
 * contract doesn't know, a value outside a closed list, another JSON type.
 */
export function findDrift({ problems, warnings }: Pick<SyncReport, 'problems' | 'warnings'>): Drift[] {
  return [
    ...warnings.flatMap((group) => classed(group, classifyWarning(group))),
    ...problems.flatMap((group) => classed(group, classifyProblem(group))),
  ];
}

/** Warnings that are not about the interface. */
export function withoutDrift(warnings: readonly IssueGroup[]): IssueGroup[] {
  return warnings.filter((group) => classifyWarning(group) === undefined);
}

function classed(group: IssueGroup, found: DriftClass | undefined): Drift[] {
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

/** Sample values of each type: every schema for the type accepts one of them. */
const EXAMPLES: Record<WireType, readonly unknown[]> = {
  string: ['', 'x', 'de-de', '9524010000016', 'available'],
  number: [1],
  boolean: [true],
  null: [null],
  array: [[]],
  object: [{ name: 'x', value: 'x' }],
};

/** Type by the beginning of a sample's shortened JSON. */
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
  ...below('attributes[]', attribute.shape),
  ...below('materials[]', material.shape),
};

function below(list: string, shape: Record<string, Parsing>): Record<string, Parsing> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [`${list}.${name}`, schema]));
}

function schemaOf(field: string): Parsing | undefined {
  return Object.hasOwn(SCHEMAS, field) ? SCHEMAS[field] : undefined;
}
