import { compileRegExp, type Instruction, type RegExpProgram } from './regexp-program.ts';

export interface RegExpRun {
  steps: number;
  /** Where it was found, if it was. */
  start?: number;
  end?: number;
}

/**
 * How many steps a backtracking machine takes to find an expression in a text: one for each letter it looks at and
 * each choice it makes. Unlike time they are the same on each run and each machine.
 *
 * @param from where it begins to look
 * @param most steps after which it gives up, with nothing found
 */
export function countRegExpSteps(expression: RegExp, text: string, from: number, most: number): RegExpRun {
  const program = compileRegExp(expression);
  const machine = new Machine(program, text, most);
  const [first] = program.instructions;
  const isAnchored = first?.does === 'at' && first.kind === 'start' && !expression.multiline;
  for (let start = from; start <= text.length && machine.steps < most; start++) {
    const end = machine.run(0, start);
    if (end >= 0) return { steps: machine.steps, start, end };
    if (expression.sticky || isAnchored) break;
  }
  return { steps: machine.steps };
}

class Machine {
  steps = 0;
  readonly #program: readonly Instruction[];
  readonly #registers: Int32Array;
  readonly #text: string;
  readonly #most: number;
  readonly #byCodePoint: boolean;
  readonly #isMultiline: boolean;
  readonly #ignoresCase: boolean;

  constructor({ instructions, registers, flags }: RegExpProgram, text: string, most: number) {
    this.#program = instructions;
    this.#registers = new Int32Array(registers).fill(-1);
    this.#text = text;
    this.#most = most;
    this.#byCodePoint = /[uv]/.test(flags);
    this.#isMultiline = flags.includes('m');
    this.#ignoresCase = flags.includes('i');
  }

  /** Where a match ends that begins at a place, below 0 without one. */
  run(from: number, start: number): number {
    // Choices to go back to as [place in the program, place in the text], old values as [-1 - register, value].
    const back: number[] = [];
    let at = from;
    let position = start;
    for (;;) {
      if (++this.steps > this.#most) return -1;
      const instruction = this.#program[at];
      if (instruction === undefined || instruction.does === 'stop') return position;
      let goesOn = true;
      switch (instruction.does) {
        case 'read': {
          const letter = this.#letter(position, instruction.isBackward);
          goesOn = letter !== '' && instruction.fits(letter);
          if (goesOn) position += instruction.isBackward ? -letter.length : letter.length;
          at++;
          break;
        }
        case 'try':
          back.push(instruction.otherwise, position);
          at = instruction.first;
          break;
        case 'go':
          at = instruction.to;
          break;
        case 'keep':
          back.push(-1 - instruction.register, this.#registers[instruction.register] ?? -1);
          this.#registers[instruction.register] = position;
          at++;
          break;
        case 'moved':
          goesOn = this.#registers[instruction.register] !== position;
          at++;
          break;
        case 'at':
          goesOn = this.#isAt(instruction.kind, position) !== instruction.negate;
          at++;
          break;
        case 'look':
          goesOn = this.run(at + 1, position) >= 0 !== instruction.negate;
          at = instruction.end;
          break;
        case 'repeat': {
          const kept = this.#kept(instruction.group);
          const begin = instruction.isBackward ? position - kept.length : position;
          goesOn = this.#same(this.#text.slice(Math.max(0, begin), begin + kept.length), kept);
          this.steps += kept.length;
          if (goesOn) position = instruction.isBackward ? begin : begin + kept.length;
          at++;
        }
      }
      while (!goesOn) {
        const value = back.pop();
        const place = back.pop();
        if (value === undefined || place === undefined) return -1;
        if (place < 0) {
          this.#registers[-1 - place] = value;
          continue;
        }
        at = place;
        position = value;
        goesOn = true;
      }
    }
  }

  #letter(position: number, isBackward: boolean): string {
    const at = isBackward ? position - 1 : position;
    if (at < 0 || at >= this.#text.length) return '';
    if (!this.#byCodePoint) return this.#text.charAt(at);
    const isHalf = isBackward && at > 0 && (this.#text.codePointAt(at - 1) ?? 0) > 0xffff;
    return String.fromCodePoint(this.#text.codePointAt(isHalf ? at - 1 : at) ?? 0);
  }

  #isAt(kind: 'start' | 'end' | 'word', position: number): boolean {
    const before = this.#text.charAt(position - 1);
    const behind = this.#text.charAt(position);
    if (kind === 'word') return isWord(before) !== isWord(behind);
    const neighbour = kind === 'start' ? before : behind;
    return neighbour === '' || (this.#isMultiline && '\n\r\u2028\u2029'.includes(neighbour));
  }

  #kept(group: number): string {
    const start = this.#registers[group * 2] ?? -1;
    const end = this.#registers[group * 2 + 1] ?? -1;
    return start < 0 || end < 0 ? '' : this.#text.slice(start, end);
  }

  #same(one: string, other: string): boolean {
    return this.#ignoresCase ? one.toLowerCase() === other.toLowerCase() : one === other;
  }
}

function isWord(letter: string): boolean {
  const code = letter.charCodeAt(0);
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}
