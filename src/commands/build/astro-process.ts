import { enableCompileCache, flushCompileCache } from 'node:module';
import type { BundleExport } from '#render/prerender-mode.ts';
import type { AstroAnswer, AstroMessage, AstroOrder } from './build-with-astro.ts';

/** Child process in which `buildWithAstro` runs Astro's build. */
enableCompileCache();
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
const { root, output, lockFile, mode, mayExport } = JSON.parse(process.argv[2] ?? '') as AstroOrder;
const { lockIn } = await import('#render/lock-build.ts');
// The parent may be killed first: the next build waits for this lock.
const lock = lockIn(lockFile);
const result = await build();
lock.release();
// The parent kills this process once it receives the result.
flushCompileCache();
process.send?.(result);

async function build(): Promise<AstroAnswer> {
  const [astro, { silenceAstro }, { choosePrerenderMode }, { wordBuildError }] = await Promise.all([
    import('astro'),
    import('#integration/silence-astro.ts'),
    import('#render/prerender-mode.ts'),
    import('./word-build-error.ts'),
  ]);
  let bundleSinceMs: number | undefined;
  const bundleExport: BundleExport = {
    begin: () => process.send?.({ exportsBundle: true } satisfies AstroMessage),
    end: (begunMs) => (bundleSinceMs = begunMs),
  };
  choosePrerenderMode({ ...mode, bundleExport: mayExport ? bundleExport : undefined });
  if (output === 'summary') silenceAstro();
  try {
    await astro.build({ root, logLevel: output === 'errors' ? 'error' : 'info' });
    return { bundleSinceMs };
  } catch (error) {
    const { code, message, hint } = wordBuildError(error);
    return { error: { code, message, hint } };
  }
}
