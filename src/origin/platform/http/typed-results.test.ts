import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const ROOT = join(FOLDER, '../../../..');

/** Beginning of all programs: a declared route and its registry. */
const DECLARED = `
import { z } from 'zod';
import { route, errorPicker } from '#contracts/index.ts';
import { collection, created, item, presentFields, type AnyCall } from './transport/call.ts';
import { RestError } from './transport/rest-error.ts';
import type { RouteRegistry } from './transport/route-registry.ts';
const thing = z.object({ id: z.int(), title: z.string(), size: z.int().optional() });
const errors = errorPicker({ thing_unknown: 404, thing_locked: 'denied', thing_elsewhere: 404 });
const params = z.object({ id: z.int() });
const getThing = route({ method: 'GET', path: 'things/v1/things/<id>', summary: 'A thing', access: 'public', params, response: thing, errors: errors('thing_unknown') });
const listThings = route({ method: 'GET', path: 'things/v1/things', summary: 'Things', access: 'public', response: z.array(thing) });
declare const registry: RouteRegistry;
void [collection, created, presentFields, RestError, getThing, listThings, registry];
`;

const VALUES = 'id: 1, title: () => "Kit", size: undefined';

/** Programs, each with what the compiler says of it; nothing of one that is right. */
const PROGRAMS: readonly (readonly [name: string, program: string, said?: RegExp])[] = [
  ['a whole answer', `registry.serve(getThing, () => item({ id: 1, title: 'Kit' }));`],
  ['an answer that waits', `registry.serve(getThing, async ({ params }) => item({ id: params.id, title: 'Kit' }));`],
  ['a list', `registry.serve(listThings, () => collection([{ id: 1, title: 'Kit' }], 1, { page: 1, perPage: 10 }));`],
  [
    'fields that were asked for',
    `registry.serve(getThing, (call) => item(presentFields(thing, { ${VALUES} }, { context: 'view', call })));`,
  ],
  [
    'a declared code',
    `registry.serve(getThing, ({ refuse }) => { throw refuse('thing_unknown', 'There is none.'); });`,
  ],
  ['a common code', `registry.serve(listThings, ({ refuse }) => { throw refuse('rest_forbidden', 'No.'); });`],
  [
    'a misspelt field',
    `registry.serve(getThing, () => item({ id: 1, title: 'Kit', sise: 2 }));`,
    /'sise' does not exist in type/,
  ],
  ['a missing field', `registry.serve(getThing, () => item({ id: 1 }));`, /Property 'title' is missing/],
  [
    'a field of another type',
    `registry.serve(getThing, () => item({ id: '1', title: 'Kit' }));`,
    /'string' is not assignable to type 'number/,
  ],
  [
    'a misspelt field of something new',
    `registry.serve(getThing, async () => created({ id: 1, title: 'Kit', sise: 2 }, 'x'));`,
    /'sise' does not exist in type/,
  ],
  [
    'a row without a field',
    `registry.serve(listThings, () => collection([{ id: 1 }], 1, { page: 1, perPage: 10 }));`,
    /not assignable/,
  ],
  [
    'a field without a value',
    `presentFields(thing, { id: 1, size: 1 }, { context: 'view', call: { fields: { wants: () => true } } });`,
    /Property 'title' is missing/,
  ],
  [
    'a value of no field',
    `presentFields(thing, { ${VALUES}, sise: 1 }, { context: 'view', call: { fields: { wants: () => true } } });`,
    /'sise' does not exist in type/,
  ],
  [
    'no value for what has to be there',
    `presentFields(thing, { id: 1, title: undefined, size: 1 }, { context: 'view', call: { fields: { wants: () => true } } });`,
    /'undefined' is not assignable to type 'string /,
  ],
  [
    'fields of something else',
    `const other = z.object({ name: z.string() });
     registry.serve(getThing, (call) => item(presentFields(other, { name: 'x' }, { context: 'view', call })));`,
    /not assignable/,
  ],
  [
    'an undeclared code',
    `registry.serve(getThing, ({ refuse }) => { throw refuse('thing_locked', 'No.'); });`,
    /'"thing_locked"' is not assignable/,
  ],
  [
    'an undeclared code of the permission',
    `registry.serve(getThing, () => item({ id: 1, title: 'Kit' }), { permit: ({ refuse }) => { throw refuse('thing_locked', 'No.'); } });`,
    /'"thing_locked"' is not assignable/,
  ],
  [
    'a helper that refuses with an undeclared code',
    `function load(call: AnyCall<'thing_unknown' | 'thing_elsewhere'>) { throw call.refuse('thing_elsewhere', 'No.'); }
     registry.serve(getThing, (call) => { load(call); return item({ id: 1, title: 'Kit' }); });`,
    /"thing_elsewhere"/,
  ],
  [
    'an error that nobody declares',
    `throw new RestError('thing_made_up', 404, 'No.', {});`,
    /Cannot create an instance of an abstract class/,
  ],
  ['a code that the namespace has not', `errors('thing_made_up');`, /'"thing_made_up"' is not assignable/],
];

const said: string[][] = [];

// One program for all: most of the time goes to what they import.
beforeAll(() => {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [], files: [] }, ts.sys, ROOT);
  const texts = new Map(PROGRAMS.map(([, program], at) => [join(FOLDER, `program-${at}.ts`), DECLARED + program]));
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.getSourceFile = (file, ...more) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, ...more) : ts.createSourceFile(file, text, ts.ScriptTarget.ESNext);
  };
  const compiled = ts.createProgram([...texts.keys()], options, host);
  for (const file of texts.keys())
    said.push(
      compiled
        .getSemanticDiagnostics(compiled.getSourceFile(file))
        .filter(({ reportsUnnecessary }) => reportsUnnecessary === undefined)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    );
}, 120_000);

test.each(PROGRAMS.map(([name, , wanted], at) => ({ name, wanted, at })))('$name', ({ wanted, at }) => {
  expect(said[at]).toEqual(wanted === undefined ? [] : [expect.stringMatching(wanted)]);
});
