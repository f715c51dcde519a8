import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import { options } from '#config/options.ts';

const sources = ['options', 'hook-options', 'site-options'].map((name) =>
  ts.createSourceFile(
    name,
    readFileSync(path.resolve(import.meta.dirname, `../../src/config/${name}.ts`), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  ),
);

const constants = new Map<string, ts.VariableStatement>();
for (const statement of sources.flatMap(({ statements }) => [...statements])) {
  if (!ts.isVariableStatement(statement)) continue;
  for (const { name } of statement.declarationList.declarations) constants.set(name.getText(), statement);
}

function initializerOf(name: string): ts.Expression | undefined {
  return constants.get(name)?.declarationList.declarations.find((one) => one.name.getText() === name)?.initializer;
}

/** Resolves constants, and removes chained calls: `z.array(…)` of `z.array(…).default([])`. */
function resolveNode(node: ts.Expression | undefined): ts.Expression | undefined {
  if (node && ts.isIdentifier(node)) return resolveNode(initializerOf(node.text));
  if (!node || !ts.isCallExpression(node)) return node;
  const { expression } = node;
  const isChained = ts.isPropertyAccessExpression(expression) && expression.expression.getText() !== 'z';
  return isChained ? resolveNode(expression.expression) : node;
}

/** Properties of the objects in an expression such as `z.strictObject({…}).prefault({})`. */
function propertiesOf(node: ts.Expression | undefined): ts.ObjectLiteralElementLike[] {
  const resolved = resolveNode(node);
  if (!resolved) return [];
  if (ts.isObjectLiteralExpression(resolved)) {
    return resolved.properties.flatMap((one) => (ts.isSpreadAssignment(one) ? propertiesOf(one.expression) : [one]));
  }
  return ts.isCallExpression(resolved) ? propertiesOf(resolved.arguments[0]) : [];
}

function docOf(property: ts.ObjectLiteralElementLike): string {
  const value = ts.isPropertyAssignment(property) ? property.initializer : property.name;
  const constant = value && constants.get(value.getText().split('.')[0] ?? '');
  const comments = [property, constant].flatMap((node) => (node ? ts.getJSDocCommentsAndTags(node) : []));
  const text = comments.map((doc) => ts.getTextOfJSDocComment(doc.comment)).find(Boolean);
  return (text ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** Lists the options of an object schema: nested objects by their path, unions by their common and separate options. */
function formatOptions(shape: Shape, properties: ts.ObjectLiteralElementLike[], prefix = ''): string[] {
  return Object.entries(shape).flatMap(([name, child]) => {
    const property = properties.find((one) => one.name?.getText() === name);
    const value = property && ts.isPropertyAssignment(property) ? property.initializer : property?.name;
    const nested = shapeOf(child);
    const json = z.toJSONSchema(child, { unrepresentable: 'any', io: 'input' });
    const preset = json.default === undefined || nested ? '' : `, default \`${JSON.stringify(json.default)}\``;
    const state = child.safeParse(undefined).success ? preset : ', required';
    const doc = (property && docOf(property)) || json.description;
    const line = `- \`${prefix}${name}\` (${formatType(json)}${state})${doc ? `: ${doc}` : ''}`;
    if (nested) return [line, ...formatOptions(nested, propertiesOf(value as ts.Expression), `${prefix}${name}.`)];
    const named = namedShapeOf(child);
    if (named) return [line, ...formatOptions(named, valuesOf(value as ts.Expression), `${prefix}${name}.<name>.`)];
    const variants = variantsOf(child);
    const all = elementsOf(value as ts.Expression | undefined);
    return [line, ...formatVariants(variants, all, `${prefix}${name}[].`)];
  });
}

function formatVariants(variants: Shape[], elements: readonly ts.Expression[], prefix: string): string[] {
  const isCommon = (key: string) => key !== 'by' && key !== 'type' && variants.every((shape) => key in shape);
  return variants.flatMap((shape, index) => {
    const [key = ''] = ['by', 'type'].filter((name) => name in shape);
    const word = z.toJSONSchema(shape[key] ?? z.never(), { io: 'input' }).const;
    const own = Object.entries(shape).filter(([name]) => name !== key && !isCommon(name));
    const common = Object.entries(shape).filter(([name]) => index === 0 && isCommon(name));
    const properties = propertiesOf(elements[index]);
    return [
      ...formatOptions(Object.fromEntries(common), properties, prefix),
      `- \`${prefix}${key}\`: \`${String(word)}\``,
      ...formatOptions(Object.fromEntries(own), properties).map((line) => `  ${line}`),
    ];
  });
}

type Shape = Record<string, z.ZodType>;

/** Object shapes of a list of a discriminated union. */
function variantsOf(schema: z.ZodType): Shape[] {
  if (schema instanceof z.ZodDefault) return variantsOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return variantsOf(schema.element as z.ZodType);
  return schema instanceof z.ZodDiscriminatedUnion ? schema.options.map((one) => shapeOf(one as z.ZodType) ?? {}) : [];
}

/** Members of the union in an expression such as `z.array(z.discriminatedUnion('type', […]))`. */
function elementsOf(node: ts.Expression | undefined): readonly ts.Expression[] {
  const resolved = resolveNode(node);
  if (!resolved) return [];
  if (ts.isArrayLiteralExpression(resolved)) return resolved.elements;
  return ts.isCallExpression(resolved) ? elementsOf(resolved.arguments.at(-1)) : [];
}

function shapeOf(schema: z.ZodType): Shape | undefined {
  if (schema instanceof z.ZodObject) return schema.shape as Shape;
  const isWrapped =
    schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional;
  return isWrapped ? shapeOf(schema.unwrap() as z.ZodType) : undefined;
}

/** Object shape of the values of a record. */
function namedShapeOf(schema: z.ZodType): Shape | undefined {
  if (schema instanceof z.ZodDefault) return namedShapeOf(schema.unwrap() as z.ZodType);
  const isNamed = schema instanceof z.ZodRecord && !(schema.keyType instanceof z.ZodEnum);
  return isNamed ? shapeOf(schema.valueType as z.ZodType) : undefined;
}

/** Properties of the values in an expression such as `z.record(key, z.strictObject({…})).default({})`. */
function valuesOf(node: ts.Expression | undefined): ts.ObjectLiteralElementLike[] {
  const resolved = resolveNode(node);
  return resolved && ts.isCallExpression(resolved) ? propertiesOf(resolved.arguments[1]) : [];
}

function formatType(json: z.core.JSONSchema.BaseSchema): string {
  if (json.const !== undefined) return `\`${JSON.stringify(json.const)}\``;
  if (json.enum) return json.enum.map((value) => `\`${String(value)}\``).join(', ');
  const union = json.anyOf ?? json.oneOf;
  if (union) return [...new Set(union.map(formatType))].join(' or ');
  if (json.type === 'array') return `list of ${formatType((json.items ?? {}) as z.core.JSONSchema.BaseSchema)}`;
  return typeof json.type === 'string' ? json.type : 'function';
}

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Reads `.env.example`: each variable with the comment before it. */
function formatVariables(): string {
  let doc = '';
  return readFileSync(path.join(ROOT, '.env.example'), 'utf8')
    .split(/\n\n+/)
    .flatMap((block) => {
      const names = [...block.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => `\`${name}\``);
      doc = [...block.matchAll(/^# ?(.*)/gm)].map(([, line]) => line).join(' ');
      return names.length > 0 ? [`- ${names.join(', ')}${doc && `: ${doc.replaceAll('<', '\\<')}`}`] : [];
    })
    .join('\n');
}

const keyOf = (line: string) => /^- `(\w+)/.exec(line)?.[1] ?? '';

export function formatConfiguration(): string {
  const lines = formatOptions(options.shape, propertiesOf(initializerOf('options')));
  const isSection = (key: string) =>
    lines.some((line) => line.startsWith(`- \`${key}.`) || line.startsWith(`- \`${key}[`));
  let section = '';
  const sections = Object.groupBy(lines, (line) => {
    if (line.startsWith('- ')) section = isSection(keyOf(line)) ? keyOf(line) : 'General';
    return section;
  });
  const { General = [], ...others } = sections;
  const parts = Object.entries(others).map(([name, list = []]) => `## ${name}\n\n${list.join('\n')}`);
  return `# Which options are there?

\`\`\`ts
// src/sortiment.config.ts
import { defineConfig } from '#config/index.ts';

export default defineConfig({ host: 'netlify', mainLanguage: 'de-de' /* … */ });
\`\`\`

Unknown options are errors. \`npm run doctor\` checks the configuration.

## General

${General.join('\n')}

${parts.join('\n\n')}

## Environment variables

Set them in the shell or in \`.env\`. The shell takes precedence, and an empty value counts as not set.

${formatVariables()}
`;
}
