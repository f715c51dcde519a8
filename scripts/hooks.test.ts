import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { createTestOutbox, type TestOutbox } from '#sync/hooks/testing/test-outbox.ts';
import { startTestReceiver, type TestReceiver } from '#sync/hooks/testing/test-receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const PATH = '/hook/s3cr3t-path';

let project: ProjectCopy;
let receiver: TestReceiver;
let outbox: TestOutbox;
let environment: Record<string, string>;
beforeAll(async () => {
  [project, receiver] = await Promise.all([copyProject(), startTestReceiver()]);
  const hooks = [{ name: 'site' }] as const;
  environment = { SORTIMENT_HOOK_URL: receiver.origin + PATH, SORTIMENT_HOOK_SECRET: SECRET };
  outbox = await createTestOutbox([...hooks], { environment });
  environment['SORTIMENT_HOME'] = outbox.settings.home;
  const file = path.join(project.folder, 'src/sortiment.config.ts');
  const config = await readFile(file, 'utf8');
  await writeFile(
    file,
    config.replace("mainLanguage: 'de-de',", `mainLanguage: 'de-de',\n  hooks: ${JSON.stringify(hooks)},`),
  );
});
afterAll(() => Promise.all([project.remove(), receiver.close(), outbox.remove()]));

async function hooks(...words: string[]) {
  const finished = await project.run('hooks', words, environment);
  for (const secret of [SECRET, SECRET.slice(6), 's3cr3t']) {
    expect(finished.stdout + finished.stderr).not.toContain(secret);
  }
  return finished;
}

it('explains itself, and refuses what was written wrongly', async () => {
  const commands = [['--help'], ['test', '--help'], [], ['lsit'], ['retry'], ['retry', 'msg_x', '--all'], ['test']];
  const [help, more, ...wrong] = await Promise.all(commands.map((words) => hooks(...words)));
  expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('list|retry|test|drain') });
  expect(more).toMatchObject({ code: 0, stdout: expect.stringContaining('--dry-run') });
  for (const { code, stdout, stderr } of wrong) {
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});

it('says what is missing', async () => {
  expect(await hooks('list')).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run sync') });
  expect(await hooks('test', 'shop')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Configured hooks: "site".'),
  });
  expect(await hooks('drain')).toMatchObject({ code: 0, stdout: 'Nothing is waiting.\n' });
});

it('tests a hook, or shows what it would send', async () => {
  const dry = await hooks('test', 'site', '--dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^POST http:\/\/127\.0\.0\.1:\d+\/\*\*\*\n/) });
  expect(dry.stdout).toContain('webhook-signature: v1,***');
  expect(receiver.received).toEqual([]);

  receiver.answer = () => ({ status: 200, body: 'Thank you' });
  const sent = await hooks('test', 'site', '--json');
  expect(sent.code).toBe(0);
  const { id, verdict, answer } = JSON.parse(sent.stdout) as Record<string, unknown>;
  expect([verdict, answer]).toEqual([{ outcome: 'delivered' }, { status: 200, body: 'Thank you' }]);
  const [request] = receiver.received;
  expect(request?.id).toBe(id);
  expect(new Webhook(SECRET).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
    type: 'catalogue.test',
  });

  receiver.answer = () => ({ status: 401, body: `who is ${SECRET}?` });
  expect(await hooks('test', 'site')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^msg_\w+ was not delivered: 401\.\nResponse 401\nwho is \*\*\*\?\n$/),
  });
});

it('a message that was given up: listed, revived, delivered', async () => {
  receiver.answer = () => ({ status: 410 });
  outbox.change({});
  expect(await hooks('drain')).toMatchObject({ code: 1, stdout: 'hook site dead\n' });
  const { messages } = JSON.parse((await hooks('list', '--json')).stdout) as { messages: { id: string }[] };
  expect(messages).toMatchObject([{ hook: 'site', state: 'dead', attempts: 1, problem: '410', digest: 'digest-1' }]);
  expect((await hooks('list')).stdout).toMatch(/dead[^]*site \(generic\): disabled/);

  receiver.answer = () => ({ status: 204 });
  expect(await hooks('retry', messages[0]?.id ?? '')).toMatchObject({ code: 0 });
  expect(await hooks('retry', messages[0]?.id ?? '', '--json')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('MESSAGE_NOT_DEAD'),
  });
  expect(await hooks('drain', '--now')).toMatchObject({ code: 0, stdout: 'hook site delivered\n' });
  expect(receiver.received.at(-1)?.id).toBe(messages[0]?.id);
  expect((await hooks('list')).stdout).toMatch(/delivered[^]*site \(generic\): ready/);
});
