import { AST, parseRegExpLiteral } from '@eslint-community/regexpp';

/** What a machine for regular expressions does, one after the other; targets are places in the program. */
export type Instruction =
  | { does: 'read'; fits: (letter: string) => boolean; isBackward: boolean }
  | { does: 'try'; first: number; otherwise: number }
  | { does: 'go'; to: number }
  | { does: 'keep'; register: number }
  | { does: 'moved'; register: number }
  | { does: 'at'; kind: 'start' | 'end' | 'word'; negate: boolean }
  | { does: 'look'; negate: boolean; end: number }
  | { does: 'repeat'; group: number; isBackward: boolean }
  | { does: 'stop' };

export interface RegExpProgram {
  instructions: readonly Instruction[];
  registers: number;
  flags: string;
}

/** More repetitions than these count as any number of them. */
const MOST_COPIES = 400;

const programs = new Map<string, RegExpProgram>();

/** A regular expression as a program for a backtracking machine, which tries what ECMAScript tries, in its order. */
export function compileRegExp(expression: RegExp): RegExpProgram {
  const source = String(expression);
  const known = programs.get(source);
  if (known) return known;
  const compiled = compile(parseRegExpLiteral(expression), expression.flags);
  programs.set(source, compiled);
  return compiled;
}

function compile({ pattern }: AST.RegExpLiteral, flags: string): RegExpProgram {
  const instructions: Instruction[] = [];
  const groups = new Map<AST.CapturingGroup, number>();
  let registers = 0;
  collect(pattern);
  registers = groups.size * 2;

  function collect(node: AST.Pattern | AST.Element | AST.Alternative): void {
    if (node.type === 'CapturingGroup') groups.set(node, groups.size);
    if ('alternatives' in node) for (const inner of node.alternatives) if (inner.type === 'Alternative') collect(inner);
    if ('elements' in node && node.type !== 'CharacterClass') for (const inner of node.elements) collect(inner);
    if (node.type === 'Quantifier') collect(node.element);
  }

  const emit = (instruction: Instruction) => instructions.push(instruction) - 1;

  function alternatives(nodes: readonly AST.Alternative[], isBackward: boolean): void {
    const exits: { to: number }[] = [];
    nodes.forEach((node, i) => {
      const isLast = i === nodes.length - 1;
      const choice = { does: 'try' as const, first: 0, otherwise: 0 };
      if (!isLast) choice.first = emit(choice) + 1;
      for (const element of isBackward ? node.elements.toReversed() : node.elements) emitElement(element, isBackward);
      if (isLast) return;
      const exit = { does: 'go' as const, to: 0 };
      emit(exit);
      exits.push(exit);
      choice.otherwise = instructions.length;
    });
    for (const exit of exits) exit.to = instructions.length;
  }

  function emitElement(node: AST.Element, isBackward: boolean): void {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        emit({ does: 'read', fits: fitsNode(node.raw, flags), isBackward });
        return;
      case 'Group':
        alternatives(node.alternatives, isBackward);
        return;
      case 'CapturingGroup': {
        const group = groups.get(node) ?? 0;
        emit({ does: 'keep', register: group * 2 + (isBackward ? 1 : 0) });
        alternatives(node.alternatives, isBackward);
        emit({ does: 'keep', register: group * 2 + (isBackward ? 0 : 1) });
        return;
      }
      case 'Backreference': {
        const resolved = [node.resolved].flat()[0];
        emit({ does: 'repeat', group: resolved ? (groups.get(resolved) ?? 0) : 0, isBackward });
        return;
      }
      case 'Assertion':
        emitAssertion(node);
        return;
      case 'Quantifier':
        emitQuantifier(node, isBackward);
    }
  }

  function emitAssertion(node: AST.Assertion): void {
    if (!('alternatives' in node)) {
      emit({ does: 'at', kind: node.kind, negate: 'negate' in node && node.negate });
      return;
    }
    const look = { does: 'look' as const, negate: node.negate, end: 0 };
    emit(look);
    alternatives(node.alternatives, node.kind === 'lookbehind');
    emit({ does: 'stop' });
    look.end = instructions.length;
  }

  function emitQuantifier({ min, max, greedy, element }: AST.Quantifier, isBackward: boolean): void {
    const least = Math.min(min, MOST_COPIES);
    for (let i = 0; i < least; i++) emitElement(element, isBackward);
    const more = max === Infinity || max > MOST_COPIES ? Infinity : max - least;
    const exits: { first: number; otherwise: number }[] = [];
    const enter = (): { first: number; otherwise: number } => {
      const choice = { does: 'try' as const, first: 0, otherwise: 0 };
      const inside = emit(choice) + 1;
      if (greedy) choice.first = inside;
      else choice.otherwise = inside;
      return choice;
    };
    if (more === Infinity) {
      const start = instructions.length;
      exits.push(enter());
      const register = registers++;
      emit({ does: 'keep', register });
      emitElement(element, isBackward);
      emit({ does: 'moved', register });
      emit({ does: 'go', to: start });
    } else {
      for (let i = 0; i < more; i++) {
        exits.push(enter());
        emitElement(element, isBackward);
      }
    }
    for (const exit of exits) {
      if (greedy) exit.otherwise = instructions.length;
      else exit.first = instructions.length;
    }
  }

  alternatives(pattern.alternatives, false);
  emit({ does: 'stop' });
  return { instructions, registers, flags };
}

/** Whether a letter is one that a part of an expression stands for. */
function fitsNode(raw: string, flags: string): (letter: string) => boolean {
  const one = new RegExp(`^(?:${raw})$`, [...flags].filter((flag) => 'iuvs'.includes(flag)).join(''));
  const known = new Map<string, boolean>();
  return (letter) => {
    const cached = known.get(letter);
    if (cached !== undefined) return cached;
    const fits = NATIVE_EXEC.call(one, letter) !== null;
    known.set(letter, fits);
    return fits;
  };
}

/** The engine's own, whatever a measurement puts in its place. */
export const NATIVE_EXEC = RegExp.prototype.exec;
