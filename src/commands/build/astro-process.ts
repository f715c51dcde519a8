import { enableCompileCache, flushCompileCache } from 'node:module';
import type { BundleExport } from '#render/prerender-mode.ts';
import type { AstroBuildResult, AstroBuildRequest } from './build-with-astro.ts';

/** Child process in which `buildWithAstro` runs Astro's build. */
enableCompileCache();
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
const { root, output, lockFile, mode, mayExport } = JSON.parse(process.argv[2] ?? '') as AstroBuildRequest;
const { acquireFileLock } = await import('#render/lock-build.ts');
// The parent may be killed first: the next build waits for this lock.
const lock = acquireFileLock(lockFile);
const result = await build();
lock.release();
// The parent kills this process once it receives the result.
flushCompileCache();
process.send?.(result);

async function build(): Promise<AstroBuildResult> {
  const [astro, { hideAstroInfo }, { setPrerenderMode }, { toBuildError }] = await Promise.all([
    import('astro'),
    import('#integration/astro-log.ts'),
    import('#render/prerender-mode.ts'),
    import('./build-error.ts'),
  ]);
  let bundleSinceMs: number | undefined;
  const bundleExport: BundleExport = {
    end: (begunMs) => (bundleSinceMs = begunMs),
  };
  setPrerenderMode({ ...mode, bundleExport: mayExport ? bundleExport : undefined });
  if (output === 'summary') hideAstroInfo();
  try {
    await astro.build({ root, logLevel: output === 'errors' ? 'error' : 'info' });
    return { bundleSinceMs };
  } catch (error) {
    const { code, message, hint } = toBuildError(error);
    return { error: { code, message, hint } };
  }
}
