import { enableCompileCache, flushCompileCache } from 'node:module';
import type { AstroBuildOrder, AstroBuildResult } from './build-with-astro.ts';

/** Child process in which `buildWithAstro` runs Astro's build. */
enableCompileCache();
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
const { root, output, lockFile, ...order } = JSON.parse(process.argv[2] ?? '') as AstroBuildOrder;
const { acquireFileLock } = await import('#build/lock-build.ts');
// The parent may be killed first: the next build waits for this lock.
const lock = acquireFileLock(lockFile);
const result = await build();
lock.release();
// The parent kills this process once it receives the result.
flushCompileCache();
process.send?.(result);

async function build(): Promise<AstroBuildResult> {
  const [astro, { hideAstroInfo }, { requestIntegration }, { toBuildError }] = await Promise.all([
    import('astro'),
    import('#build/astro-log.ts'),
    import('#build/astro-build.ts'),
    import('./build-error.ts'),
  ]);
  let isBundle = false;
  const request = requestIntegration({
    ...order,
    onBundle: () => (isBundle = true),
  });
  if (output === 'summary') hideAstroInfo();
  try {
    await astro.build({ root, integrations: [request], logLevel: output === 'errors' ? 'error' : 'info' });
    return { isBundle };
  } catch (error) {
    const { code, message, hint } = toBuildError(error);
    return { error: { code, message, hint } };
  }
}
