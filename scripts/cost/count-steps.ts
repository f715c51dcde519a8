import { registerHooks } from 'node:module';
import ts from 'typescript';
import { countRegExpSteps } from './regexp-steps.ts';
import { NATIVE_EXEC } from './regexp-program.ts';

/**
 * Counts what code does, in place of how long it takes: once this module is loaded, every module that is imported
 * later counts each function that it calls, each turn of a loop and each value that it spreads, and what is built into
 * the engine counts the letters or values that it goes through. It changes the whole process: only one that ends with
 * the measurement may load it.
 */
const counter = { steps: 0, most: Infinity };

/** Says that work was ended because it took too many steps. */
export class TooManySteps extends Error {
  override name = 'TooManySteps';
}

/** Steps that some work takes; it ends with an error when they are more than that. */
export async function countSteps(work: () => unknown, most: number): Promise<number> {
  const before = counter.steps;
  counter.most = before + most;
  await work();
  counter.most = Infinity;
  return counter.steps - before;
}

/** What reads piece by piece does so as it is asked. */
export function consume(result: unknown): void {
  if (typeof result !== 'object' || result === null || !('next' in result) || !(Symbol.iterator in result)) return;
  counter.steps += Array.from(result as Iterable<unknown>).length;
}

const { Map: NativeMap, Set: NativeSet } = globalThis;
const nativeKeys = Object.keys;
const COUNTER = '__cost';

// Packages that are given texts of others by the program; the others would only take time to be read.
const PARSERS =
  /\/node_modules\/(?:csv-parse|dom-serializer|domhandler|domutils|entities|htmlparser2|js-yaml|parse-srcset|postcss|qs|sanitize-html|yaml)\//;

registerHooks({
  load(url, context, nextLoad) {
    const isOurs = url.startsWith('file:') && !url.includes('/node_modules/') && url.endsWith('.ts');
    const loaded = nextLoad(url, context);
    if (!isOurs && !PARSERS.test(url)) return loaded;
    if (typeof loaded.source !== 'string' && !(loaded.source instanceof Uint8Array)) return loaded;
    if (loaded.format === 'json') return loaded;
    const source = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source).toString();
    const format = isOurs ? 'module-typescript' : loaded.format;
    return { ...loaded, format, source: withCounting(source, isOurs ? 'a.ts' : 'a.js') };
  },
});

const printer = ts.createPrinter({ removeComments: true });

function withCounting(source: string, fileName: string): string {
  const parsed = ts.createSourceFile(fileName, source, ts.ScriptTarget.ESNext, true);
  const { transformed } = ts.transform(parsed, [countSyntax]);
  return transformed.map((file) => printer.printFile(file)).join('');
}

function countSyntax(context: ts.TransformationContext): (file: ts.SourceFile) => ts.SourceFile {
  const { factory } = context;
  const name = () => factory.createIdentifier(COUNTER);
  const part = (member: string) => factory.createPropertyAccessExpression(name(), member);
  const step = () =>
    factory.createLogicalAnd(
      factory.createGreaterThan(factory.createPrefixIncrement(part('steps')), part('most')),
      factory.createCallExpression(part('stop'), undefined, []),
    );
  const counted = (block: ts.Block) =>
    factory.updateBlock(block, [factory.createExpressionStatement(step()), ...block.statements]);
  const spread = (expression: ts.Expression) => factory.createCallExpression(part('all'), undefined, [expression]);
  const body = (statement: ts.Statement) =>
    counted(ts.isBlock(statement) ? statement : factory.createBlock([statement]));

  const visit = (old: ts.Node): ts.Node => {
    const node = ts.visitEachChild(old, visit, context);
    if (ts.isBlock(node) && ts.isFunctionLike(old.parent)) return counted(node);
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
      const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = node;
      const both = factory.createParenthesizedExpression(factory.createComma(step(), node.body));
      return factory.updateArrowFunction(
        node,
        modifiers,
        typeParameters,
        parameters,
        type,
        equalsGreaterThanToken,
        both,
      );
    }
    if (ts.isSpreadElement(node)) return factory.updateSpreadElement(node, spread(node.expression));
    if (ts.isSpreadAssignment(node)) return factory.updateSpreadAssignment(node, spread(node.expression));
    if (ts.isWhileStatement(node)) return factory.updateWhileStatement(node, node.expression, body(node.statement));
    if (ts.isDoStatement(node)) return factory.updateDoStatement(node, body(node.statement), node.expression);
    if (ts.isForStatement(node)) {
      const { initializer, condition, incrementor, statement } = node;
      return factory.updateForStatement(node, initializer, condition, incrementor, body(statement));
    }
    if (ts.isForInStatement(node)) {
      return factory.updateForInStatement(node, node.initializer, node.expression, body(node.statement));
    }
    if (ts.isForOfStatement(node)) {
      const { awaitModifier, initializer, expression, statement } = node;
      return factory.updateForOfStatement(node, awaitModifier, initializer, expression, body(statement));
    }
    return node;
  };
  return (file) => ts.visitEachChild(file, visit, context);
}

Object.defineProperty(globalThis, COUNTER, {
  value: Object.assign(counter, {
    all(values: unknown): unknown {
      counter.steps += sizeOf(values);
      return values;
    },
    stop(): never {
      throw new TooManySteps('It takes too many steps.');
    },
  }),
});

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return value.byteLength;
  if (value instanceof NativeMap || value instanceof NativeSet) return value.size;
  return typeof value === 'object' && value !== null ? nativeKeys(value).length : 1;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Cost = (self: unknown, args: readonly unknown[], result: unknown) => number;

/** Puts a counting method in place of the engine's. */
function count(owner: object, names: readonly PropertyKey[], cost: Cost): void {
  for (const name of names) {
    const native = Reflect.get(owner, name) as Method;
    const counting = {
      method(this: unknown, ...args: unknown[]): unknown {
        const result: unknown = Reflect.apply(native, this, args);
        counter.steps += cost(this, args, result);
        return result;
      },
    };
    Object.defineProperty(owner, name, { value: counting.method, configurable: true, writable: true });
  }
}

const place = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
/** What a search goes through: from where it begins to what it finds, or to the end. */
const searched: Cost = (self, [wanted, from], result) => {
  const end = result === -1 || result === false ? sizeOf(self) : place(result, sizeOf(self)) + sizeOf(wanted);
  return 1 + Math.max(0, end - Math.max(0, place(from, 0)));
};
const searchedBack: Cost = (self, [wanted, from], result) =>
  1 + Math.max(0, Math.min(place(from, Infinity), sizeOf(self)) - Math.max(0, place(result, 0)) + sizeOf(wanted));
const whole: Cost = (self) => 1 + sizeOf(self);
const made: Cost = (_, __, result) => 1 + sizeOf(result);
const wholeArgument: Cost = (_, [first], result) => 1 + sizeOf(first) + sizeOf(result);
const removed: Cost = (self, _, result) => 1 + Math.max(0, sizeOf(self) - sizeOf(result));

const { prototype: text } = String;
count(text, ['indexOf', 'includes'], searched);
count(text, ['lastIndexOf'], searchedBack);
count(text, ['startsWith', 'endsWith'], (_, [wanted]) => 1 + sizeOf(wanted));
count(text, ['trim', 'trimStart', 'trimEnd'], removed);
count(text, ['repeat', 'padStart', 'padEnd'], made);
count(
  text,
  ['toLowerCase', 'toUpperCase', 'toLocaleLowerCase', 'toLocaleUpperCase', 'normalize', 'toWellFormed'],
  whole,
);
count(text, ['localeCompare'], (self, [other]) => 1 + Math.min(sizeOf(self), sizeOf(other)));
count(text, ['split', 'replace', 'replaceAll'], (self, [pattern]) =>
  typeof pattern === 'string' ? 1 + sizeOf(self) : 1,
);
// Only a part of a text may be taken in this way: that is as much as is read of it.
count(Array, ['from'], made);
const { prototype: list } = Array;
count(list, ['indexOf', 'includes'], searched);
count(list, ['lastIndexOf'], searchedBack);
count(list, ['slice', 'concat', 'flat', 'join', 'splice'], made);
count(list, ['shift', 'unshift', 'reverse', 'toReversed', 'toSpliced', 'with', 'fill'], whole);
count(list, ['sort', 'toSorted'], (self) => 1 + sizeOf(self) * Math.log2(sizeOf(self) + 1));
count(JSON, ['parse', 'stringify'], wholeArgument);
count(
  globalThis,
  ['decodeURIComponent', 'encodeURIComponent', 'decodeURI', 'encodeURI', 'structuredClone'],
  wholeArgument,
);
count(Object, ['keys', 'values', 'entries', 'fromEntries', 'assign'], made);
count(Buffer, ['concat', 'from'], made);
count(Buffer, ['byteLength'], (_, [first]) => 1 + sizeOf(first));
const { prototype: bytes } = Buffer;
count(bytes, ['indexOf', 'includes'], searched);
count(bytes, ['lastIndexOf'], searchedBack);
count(bytes, ['toString', 'latin1Slice', 'utf8Slice'], made);
count(TextDecoder.prototype, ['decode'], wholeArgument);
count(TextEncoder.prototype, ['encode'], wholeArgument);

for (const name of ['URL', 'URLSearchParams', 'Set', 'Map'] as const) {
  const counting = new Proxy(globalThis[name], {
    construct(Native, args: unknown[], newTarget): object {
      counter.steps += 1 + sizeOf(args[0]);
      return Reflect.construct(Native, args, newTarget) as object;
    },
  });
  Object.defineProperty(globalThis, name, { value: counting, configurable: true, writable: true });
}

const MOST_STEPS = 10_000_000;

// What finds, tests, splits and replaces by an expression asks this for each match.
const expression = RegExp.prototype;
function exec(this: RegExp, subject: unknown): RegExpExecArray | null {
  const letters = String(subject);
  const from = this.global || this.sticky ? this.lastIndex : 0;
  const found = NATIVE_EXEC.call(this, letters);
  if (found) counter.steps += 1 + found.index + found[0].length - Math.min(from, found.index);
  // How far it looked before it gave up tells nobody.
  else if (this.sticky || this.source.startsWith('^')) {
    counter.steps += countRegExpSteps(this, letters, from, MOST_STEPS).steps;
  } else counter.steps += 1 + Math.max(0, letters.length - from);
  return found;
}
expression.exec = exec;

const nativeSplit = expression[Symbol.split];
Object.defineProperty(expression, Symbol.split, {
  value(this: RegExp, subject: string, limit?: number): string[] {
    counter.steps += 1 + subject.length;
    expression.exec = NATIVE_EXEC;
    try {
      return nativeSplit.call(this, subject, limit);
    } finally {
      expression.exec = exec;
    }
  },
  configurable: true,
  writable: true,
});
