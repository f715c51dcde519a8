import type { BuildMessage, BuildRequest } from './build-in-process.ts';

/** Child process in which `buildInProcess` builds the site. */
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (order: BuildRequest) => void build(order).then(send));

async function build({ settings, output }: BuildRequest): Promise<BuildMessage> {
  const [{ buildSite }, { toBuildError }] = await Promise.all([import('./build-site.ts'), import('./build-error.ts')]);
  try {
    return { built: await buildSite(settings, output, { onProgress: (progress) => send({ progress }) }) };
  } catch (error) {
    const { code, message, hint } = toBuildError(error);
    return { error: { code, message, hint } };
  }
}

/** The parent kills this process once it receives the result. */
function send(message: BuildMessage): void {
  process.send?.(message);
}
