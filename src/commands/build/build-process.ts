import { enableCompileCache, flushCompileCache } from 'node:module';
import type { BuildJob, BuildMessage } from './run-in-process.ts';

// Child process in which `runInProcess` runs its jobs. The parent kills it once it receives the result.
enableCompileCache();
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (job: BuildJob) => void run(job).then(send));

const send = (message: BuildMessage): void => void process.send?.(message);

async function run(job: BuildJob): Promise<BuildMessage> {
  try {
    if (job.job === 'astro') return { result: await buildWithAstro(job) };
    const { buildSite } = await import('./build-site.ts');
    return { result: await buildSite(job.settings, job.output, { onProgress: (progress) => send({ progress }) }) };
  } catch (error) {
    const { toBuildError } = await import('./build-error.ts');
    const { code, message, hint } = toBuildError(error);
    return { error: { code, message, hint } };
  }
}

async function buildWithAstro(job: Extract<BuildJob, { job: 'astro' }>): Promise<boolean> {
  const { root, output, lockFile, ...order } = job;
  const { acquireFileLock } = await import('#files/file-lock.ts');
  // The parent may be killed first: the next build waits for this lock.
  using _lock = acquireFileLock(lockFile);
  try {
    const [astro, { hideAstroInfo }, { requestIntegration }] = await Promise.all([
      import('astro'),
      import('#build/astro-log.ts'),
      import('#build/astro-build.ts'),
    ]);
    let isBundle = false;
    const request = requestIntegration({ ...order, onBundle: () => (isBundle = true) });
    if (output === 'summary') hideAstroInfo();
    await astro.build({ root, integrations: [request], logLevel: output === 'errors' ? 'error' : 'info' });
    return isBundle;
  } finally {
    flushCompileCache();
  }
}
