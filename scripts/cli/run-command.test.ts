import { defineCommand } from 'citty';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SortimentError } from '#contracts/index.ts';
import { runCommand } from './index.ts';

let out = '';
let err = '';
const calls: unknown[] = [];

beforeEach(() => {
  [out, err] = ['', ''];
  calls.length = 0;
  process.exitCode = undefined;
  vi.useFakeTimers();
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((err += String(text))));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  process.exitCode = undefined;
});

const put = defineCommand({
  meta: { name: 'put', description: 'Put fields' },
  args: {
    gtin: { type: 'positional' },
    fields: { type: 'positional', valueHint: 'field=value...' },
    language: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: ({ args }) => {
    calls.push([args.gtin, args._, args.language]);
    if (args.gtin === 'bad') throw new SortimentError('PRODUCT_UNKNOWN', 'No such product.', { hint: 'Import it.' });
    if (args.gtin === 'full')
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', path: '/data/x' });
    if (args.gtin === 'locked') throw new Error('open failed', { cause: new Error('EROFS: read-only file system') });
    if (args.gtin === 'bug') throw new TypeError('x is not a function');
  },
});
const main = defineCommand({
  meta: { name: 'npm run shop --', description: 'A shop' },
  args: { port: { type: 'string', default: '80' }, open: { type: 'boolean', default: true } },
  subCommands: { put, item: defineCommand({ meta: { name: 'item' }, subCommands: { put } }) },
  run: ({ args }) => void calls.push([args.port, args.open]),
});

test('runs the command itself when no subcommand is named, although an option has a value', async () => {
  await runCommand(main, ['--port', '5000', '--no-open']);
  expect(calls).toEqual([['5000', false]]);
  expect(process.exitCode).toBeUndefined();
});

test('finds nested subcommands and the words that follow', async () => {
  await runCommand(main, ['item', 'put', '--language', 'de-de', '123', 'a=1', 'b=2']);
  expect(calls).toEqual([['123', ['123', 'a=1', 'b=2'], 'de-de']]);
});

test.each([
  [['--prot', '1'], 'Unknown option --prot.', 'Did you mean --port?'],
  [['item', '--language', 'de-de', 'put'], 'Unknown option --language.', '--help'],
  [['--port'], 'The option --port needs a value.', '--help'],
  [['putt'], 'Unknown command "putt".', 'Did you mean put?'],
  [['item'], '"npm run shop -- item" needs a command after it.', 'npm run shop -- item --help'],
  [['put'], 'Missing required positional argument: GTIN.', 'Run "npm run shop -- put --help"'],
])('%j is wrong usage', async (argv, message, hint) => {
  await runCommand(main, argv);
  expect(err).toContain(message);
  expect(err).toContain(hint);
  expect(process.exitCode).toBe(2);
  expect(calls).toEqual([]);
});

test('an unexpected argument is wrong usage', async () => {
  await runCommand(defineCommand({ meta: { name: 'x' }, run: () => void calls.push(1) }), ['y']);
  expect(err).toContain('Unexpected argument "y".');
  expect(process.exitCode).toBe(2);
});

test('a failure prints message, then hint, and no stack', async () => {
  await runCommand(main, ['put', 'bad', 'a=1']);
  expect(err).toBe('No such product.\nImport it.\n');
  expect(process.exitCode).toBe(1);
});

test('with --json a failure is an object on stdout', async () => {
  await runCommand(main, ['put', 'bad', 'a=1', '--json']);
  expect(JSON.parse(out)).toEqual({
    error: { code: 'PRODUCT_UNKNOWN', message: 'No such product.', hint: 'Import it.' },
  });
  expect(err).toBe('');
});

test('a fault of ours says so without its stack', async () => {
  await runCommand(main, ['put', 'bug', 'a=1']);
  expect(err).toContain('x is not a function');
  expect(err).not.toContain('run-command.test.ts');
  expect(process.exitCode).toBe(1);
});

test('--help shows the whole command line', async () => {
  await runCommand(main, ['item', 'put', '--help']);
  expect(out).toContain('npm run shop -- item put');
  expect(process.exitCode).toBeUndefined();
});

test.each([
  ['full', 'The disk is full: "/data/x".', 'Free some space'],
  ['locked', 'The file system is read-only.', 'Set SORTIMENT_HOME'],
])('a disk that is %s is named as such, with advice', async (gtin, message, advice) => {
  await runCommand(main, ['put', gtin, 'a=1']);
  expect(err).toContain(message);
  expect(err).toContain(advice);
  expect(err).not.toContain('bug in');
  expect(process.exitCode).toBe(1);
});
