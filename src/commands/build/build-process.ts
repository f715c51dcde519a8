import { enableCompileCache } from 'node:module';
import type { BuildMessage, BuildOrder } from './build-in-process.ts';

/** Child process in which `buildInProcess` builds the site. */
enableCompileCache();
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (order: BuildOrder) => void build(order).then(send));

async function build({ settings, output }: BuildOrder): Promise<BuildMessage> {
  const [{ buildSite }, { wordBuildError }] = await Promise.all([
    import('./build-site.ts'),
    import('./word-build-error.ts'),
  ]);
  try {
    return { built: await buildSite(settings, output, { onProgress: (progress) => send({ progress }) }) };
  } catch (error) {
    const { code, message, hint } = wordBuildError(error);
    return { error: { code, message, hint } };
  }
}

/** The parent kills this process once it receives the result. */
function send(message: BuildMessage): void {
  process.send?.(message);
}
