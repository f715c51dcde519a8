import { ELEMENTS, GENERAL_ATTRIBUTES } from '#contracts/html/index.ts';

/** The rows of the README's table: what becomes of each element of HTML. */
export function describeElements(): string[] {
  const rules = Object.entries(ELEMENTS);
  const kept = rules.flatMap(([name, rule]) => {
    if (rule.fate !== 'kept') return [];
    const attributes = rule.attributes.filter((attribute) => !attribute.startsWith('data-'));
    return [attributes.length === 0 ? code(name) : `${code(name)} (${attributes.join(', ')})`];
  });
  const changes = Map.groupBy(
    rules.flatMap(([name, rule]) => (rule.fate === 'changed' ? [{ name, by: rule.by }] : [])),
    ({ by }) => by,
  );
  const dropped = rules.flatMap(([name, { fate }]) => (fate === 'dropped' ? [code(name)] : []));
  return [
    `| kept | ${kept.join(', ')}; on all of them ${GENERAL_ATTRIBUTES.join(', ')}; formulas in MathML |`,
    ...[...changes].map(([by, found]) => `| becomes ${by} | ${found.map(({ name }) => code(name)).join(', ')} |`),
    `| dropped with its content | ${dropped.join(', ')} |`,
  ];
}

const code = (name: string): string => `\`${name}\``;
