import { AST, parseRegExpLiteral } from '@eslint-community/regexpp';
import { countRegExpSteps } from './regexp-steps.ts';
import { NATIVE_EXEC } from './regexp-program.ts';

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
/** Letters that stand for a class of them; the first that fits does. */
const LETTERS = [...' a0<\n-"/>.', ...ASCII, ...'éßΩ中\u00A0\u2013\uE000\uE002\uFEFF', '😀'];
const ENDS = ['', '\u0001', ' x'];
const SMALL = 400;
const TIMES = 4;
/** Linear is `TIMES`, n log n a little more, quadratic its square. */
const MOST_GROWTH = 7;
const MOST_STEPS = 2_000_000;

/** A text on which the cost of an expression grows faster than n log n, where one is found. */
export function attackExpression(expression: RegExp): string | undefined {
  return attacksOn(expression).find((attack) => {
    const small = stepsOfAll(expression, attack(SMALL));
    const large = stepsOfAll(expression, attack(SMALL * TIMES));
    return large >= MOST_STEPS || large > small * MOST_GROWTH;
  })?.(24);
}

/** Steps of finding every match, as replacing does. */
function stepsOfAll(expression: RegExp, text: string): number {
  let steps = 0;
  for (let from = 0; from <= text.length && steps < MOST_STEPS;) {
    const found = countRegExpSteps(expression, text, from, MOST_STEPS);
    steps += found.steps;
    if (found.end === undefined || found.start === undefined || !expression.global) break;
    from = found.end > found.start ? found.end : found.end + 1;
  }
  return steps;
}

type Attack = (length: number) => string;

/** What is in front of each part that may repeat, with what it may repeat. */
function attacksOn(expression: RegExp): Attack[] {
  const { pattern } = parseRegExpLiteral(expression);
  const spots: { prefix: string; pump: string }[] = [];
  visit(pattern.alternatives, '');

  function visit(alternatives: readonly AST.Alternative[], before: string): void {
    for (const alternative of alternatives) {
      let prefix = before;
      for (const element of alternative.elements) {
        if (element.type === 'Quantifier') {
          if (element.max > 20) for (const pump of samples(element.element)) spots.push({ prefix, pump });
          if ('alternatives' in element.element) visit(element.element.alternatives, prefix);
        } else if ('alternatives' in element) visit(element.alternatives, prefix);
        prefix += samples(element)[0] ?? '';
      }
    }
  }

  function samples(node: AST.Element): string[] {
    switch (node.type) {
      case 'Quantifier':
        return node.min === 0 ? [''] : samples(node.element).map((text) => text.repeat(node.min));
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives.map((one) => one.elements.map((inner) => samples(inner)[0] ?? '').join(''));
      case 'Assertion':
      case 'Backreference':
        return [''];
      default: {
        const one = new RegExp(`^(?:${node.raw})$`, expression.flags.replaceAll(/[gymd]/g, ''));
        const fitting = LETTERS.filter((letter) => NATIVE_EXEC.call(one, letter) !== null);
        return [...new Set([...fitting.slice(0, 3), fitting.at(-1) ?? ''])];
      }
    }
  }

  const pumps = [...new Set(spots.map(({ pump }) => pump))].filter((pump) => pump !== '');
  const texts = new Map<string, Attack>();
  const add = (prefix: string, pump: string, end: string) => {
    if (pump === '') return;
    texts.set(JSON.stringify([prefix, pump, end]), (length) => prefix + pump.repeat(length / pump.length) + end);
  };
  for (const { prefix } of spots) {
    for (const pump of pumps) {
      for (const end of ENDS) {
        add(prefix, pump, end);
        add('', prefix + pump, end);
        add('', pump, end);
        if (expression.source.includes('^')) add('\u0002', pump, end);
      }
    }
    add('', prefix, '');
  }
  return [...texts.values()];
}
