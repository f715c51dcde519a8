import { defineCommand } from 'citty';
import { EXIT_FAILED, JSON_ARG, runScript, UsageError, printResult } from './cli/index.ts';
import { stopSignal } from './cli/stop.ts';

const list = defineCommand({
  meta: { name: 'list', description: 'List hooks and their messages: waiting, in flight, delivered, dead-lettered' },
  args: { json: JSON_ARG },
  run: async ({ args }) => {
    const { listOutbox } = await import('#sync/hooks/list-outbox.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const { hooks, messages } = listOutbox(await loadSettings());
    if (args.json) return void console.log(JSON.stringify({ hooks, messages }));
    const rows = messages.map(({ digest, classes, problem = '', ...message }) => ({
      ...message,
      digest: digest.slice(0, 12),
      classes: classes.join(' '),
      problem,
    }));
    const lines = hooks.map(({ name, type, problem }) => `${name} (${type}): ${problem ?? 'ready'}`);
    printResult({ message: lines.length > 0 ? lines.join('\n') : 'There are no hooks.', rows });
  },
});

const retry = defineCommand({
  meta: { name: 'retry', description: 'Requeue dead-lettered messages and enable their hooks' },
  args: {
    id: { type: 'positional', required: false, description: 'ID of one message, from `list`' },
    all: { type: 'boolean', description: 'All dead-lettered messages' },
    json: JSON_ARG,
  },
  run: async ({ args }) => {
    if ((args.id === undefined) === !args.all) {
      throw new UsageError('Give the id of a message, or --all.', 'Run "npm run hooks -- list" to see the ids.');
    }
    const { retryMessages } = await import('#sync/hooks/list-outbox.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const revived = retryMessages(await loadSettings(), args.id);
    if (args.json) return void console.log(JSON.stringify({ revived }));
    const next = 'They are sent with the next sync, or now with `npm run hooks -- drain`.';
    console.log(revived === 0 ? 'There is no dead-lettered message.' : `Requeued: ${revived}. ${next}`);
  },
});

const test = defineCommand({
  meta: {
    name: 'test',
    description: 'Send a catalogue.test message to a hook and show the response. A build target starts a real build.',
  },
  args: {
    name: { type: 'positional', required: true, description: 'Name of the hook' },
    'dry-run': { type: 'boolean', description: 'Print the request without secrets; send nothing' },
    json: JSON_ARG,
  },
  run: async ({ args }) => {
    const { previewTestRequest, testHook } = await import('#sync/hooks/test-hook.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const settings = await loadSettings();
    if (args['dry-run']) {
      const shown = previewTestRequest(settings, args.name);
      return void console.log(args.json ? JSON.stringify(shown) : formatRequest(shown));
    }
    const tested = await testHook(settings, args.name, { signal: stopSignal() });
    const { verdict, answer } = tested;
    if (verdict.outcome !== 'delivered') process.exitCode = EXIT_FAILED;
    if (args.json) return void console.log(JSON.stringify(tested));
    const outcome =
      verdict.outcome === 'delivered'
        ? `delivered${verdict.reference === undefined ? '' : ` (${verdict.reference})`}`
        : `not delivered: ${verdict.problem}`;
    const details = answer ? [`Response ${answer.status}`, answer.body].filter(Boolean).join('\n') : '';
    console.log([`${tested.id} was ${outcome}.`, details].filter(Boolean).join('\n'));
  },
});

const drain = defineCommand({
  meta: { name: 'drain', description: 'Send what is due. Exits with 1 if a delivery failed.' },
  args: {
    now: { type: 'boolean', description: 'Also send messages that are debounced or waiting for a retry' },
    json: JSON_ARG,
  },
  run: async ({ args }) => {
    const { sendOutbox } = await import('#sync/hooks/send-outbox.ts');
    const { createTerminal } = await import('./cli/create-terminal.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const { logger } = createTerminal({ quiet: Boolean(args.json), verbose: false });
    const deliveries = await sendOutbox(await loadSettings(), {
      logger,
      early: Boolean(args.now),
      signal: stopSignal(),
    });
    if (deliveries.some(({ outcome }) => ['failed', 'dead', 'skipped'].includes(outcome))) {
      process.exitCode = EXIT_FAILED;
    }
    if (args.json) return void console.log(JSON.stringify(deliveries));
    const lines = deliveries.map(({ hook, outcome, nextAttemptAt }) =>
      [`hook ${hook} ${outcome}`, ...(nextAttemptAt === undefined ? [] : [`due ${nextAttemptAt}`])].join(', '),
    );
    console.log(lines.length > 0 ? lines.join('\n') : 'Nothing is waiting.');
  },
});

export default await runScript(import.meta, {
  meta: { name: 'npm run hooks --', description: 'Manage the webhook outbox.' },
  args: { json: JSON_ARG },
  subCommands: { list, retry, test, drain },
});

type Shown = ReturnType<(typeof import('#sync/hooks/test-hook.ts'))['previewTestRequest']>;

function formatRequest(shown: Shown): string {
  if ('command' in shown) return `${JSON.stringify(shown.command)}\n\n${shown.body}`;
  const headers = Object.entries(shown.headers).map(([name, value]) => `${name}: ${value}`);
  return [`${shown.method} ${shown.url}`, ...headers, '', shown.body].join('\n');
}
