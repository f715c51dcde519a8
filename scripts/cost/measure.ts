import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { consume, countSteps } from './count-steps.ts';
import { CALLS, EXCLUDED, EXAMPLES, type Call } from './calls.ts';
import { HOSTILE_TEXTS, hostileText, type HostileText } from './hostile-texts.ts';
import { findTextFunctions, type ParameterRole, type TextFunction } from './text-functions.ts';

export interface Measured {
  functions: number;
  /** Functions whose cost grew faster than n log n, with the text and the steps. */
  slow: string[];
  /** Functions that never got as far as to read a text. */
  idle: string[];
  /** In no list, though the rule finds them and nobody could call them without more. */
  unlisted: string[];
  /** In a list, though there is no such function. */
  gone: string[];
}

const LETTERS = 200 * Math.max(1, Math.round(Number(process.env['SORTIMENT_SOAK'] ?? 1) / 2));
const TIMES = 4;
/** n log n at the smaller length is 4.8; the rest is what starting costs or saves. Quadratic is 16. */
const MOST_GROWTH = 7;
/** Less is what the engine does in no time, however often it is asked. */
const LEAST_STEPS = 5 * LETTERS * TIMES;

/** No function takes more on texts that short; what never ends does. */
const MOST_STEPS = 2000 * LETTERS * TIMES;

const ROOT = path.resolve(import.meta.dirname, '../..');

async function measure(): Promise<Measured> {
  const found = findTextFunctions();
  const ids = new Set(found.map(({ id }) => id));
  const excluded = new Set(Object.values(EXCLUDED).flat());
  const measured: Measured = {
    functions: 0,
    slow: [],
    idle: [],
    unlisted: found
      .filter(({ id, parameters }) => !excluded.has(id) && !(id in CALLS) && parameters.includes('other'))
      .map(({ id }) => id),
    gone: [...excluded].filter((id) => !ids.has(id)),
  };
  for (const { id, file, name, parameters } of [...named(EXAMPLES), ...found, ...named(CALLS, ids)]) {
    if (excluded.has(id) || measured.unlisted.includes(id)) continue;
    const folder = file.startsWith('scripts/') ? ROOT : path.join(ROOT, 'src');
    const module = (await import(pathToFileURL(path.join(folder, file)).href)) as Record<string, unknown>;
    const subject = module[name];
    if (typeof subject !== 'function') {
      measured.gone.push(id);
      continue;
    }
    const call = CALLS[id] ?? callByRoles(parameters);
    await measureOne(id, call, (...args) => Reflect.apply(subject, undefined, args) as unknown, measured);
  }
  return measured;
}

/** Those that are listed by hand only. */
function named(calls: Readonly<Record<string, Call>>, known: ReadonlySet<string> = new Set()): TextFunction[] {
  return Object.keys(calls)
    .filter((id) => !known.has(id))
    .map((id) => {
      const [file = '', name = ''] = id.split(' ');
      return { id, file, name, parameters: ['text'] };
    });
}

async function measureOne(
  id: string,
  { run, texts = [], letters = LETTERS }: Call,
  subject: Subject,
  measured: Measured,
): Promise<void> {
  measured.functions++;
  let isIdle = true;
  const stepsOf = (text: HostileText, length: number) =>
    countSteps(async () => {
      try {
        await consume(await run(subject, hostileText(text, length)));
        isIdle = false;
      } catch (error) {
        // Refusing is an answer; what can't be called at all has to be seen.
        if (!(error instanceof TypeError)) isIdle = false;
      }
    }, MOST_STEPS);
  for (const text of [...texts, ...HOSTILE_TEXTS]) {
    // What is made once is made before.
    const least = await stepsOf(text, 30);
    const large = least < MOST_STEPS ? await stepsOf(text, letters * TIMES) : Infinity;
    if (large < LEAST_STEPS) continue;
    const small = large < MOST_STEPS ? await stepsOf(text, letters) : 0;
    if (large <= small * MOST_GROWTH) continue;
    measured.slow.push(`${id} with ${JSON.stringify(hostileText(text, 24))}: ${small} and ${large} steps`);
    break;
  }
  if (isIdle) measured.idle.push(id);
}

/** Gives the text to one parameter after the other: what comes of two long ones may be as long as their product. */
function callByRoles(parameters: readonly ParameterRole[]): Call {
  const read = parameters.flatMap((role, at) => (READ.has(role) ? [at] : []));
  return {
    async run(run, text) {
      const results = [];
      for (const hostile of read) {
        results.push(await consume(run(...parameters.map((role, at) => argument(role, at === hostile ? text : 'x')))));
      }
      return results;
    },
  };
}

const READ: ReadonlySet<ParameterRole> = new Set(['text', 'texts', 'bytes', 'value']);

type Subject = (...args: unknown[]) => unknown;

function argument(role: ParameterRole, text: string): unknown {
  switch (role) {
    case 'text':
      return text;
    case 'bytes':
      return Buffer.from(text, 'latin1');
    case 'value':
      return valueOf(text);
    case 'texts':
      return [text, ...(text.match(/[\s\S]{1,10}/g) ?? [])];
    case 'made here':
      return 'en';
    case 'number':
      return 20;
    default:
      return undefined;
  }
}

/** What was parsed of a body: as JSON if it is any, else with the text as it is and in many pieces. */
function valueOf(text: string): unknown {
  const pieces = text.match(/[\s\S]{1,10}/g) ?? [];
  return { text, pieces, members: Object.fromEntries(pieces.map((piece, n) => [`${n} ${piece}`, piece])) };
}

process.stdout.write(JSON.stringify(await measure()));
process.exit();
