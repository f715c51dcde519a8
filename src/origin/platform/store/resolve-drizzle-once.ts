import { registerHooks, type ResolveFnOutput } from 'node:module';

const PACKAGE = 'drizzle-orm';
const MODULE_OF_PACKAGE = new RegExp(`/node_modules/${PACKAGE}/.+\\.js$`);

let isRegistered = false;

/**
 * Resolves modules of drizzle-orm without its manifest. Node would parse its 130 kB of exports again for every
 * import, a quarter of the origin's start.
 *
 * Call it before the first import, and only in processes that need it, as it slows down all other resolutions.
 */
export function resolveDrizzleOnce(): void {
  if (isRegistered) return;
  isRegistered = true;
  let entry: ResolveFnOutput | undefined;
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL = '', conditions } = context;
      if (!conditions.includes('import')) return next(specifier, context);
      if (specifier === PACKAGE && !parentURL.includes('/node_modules/')) {
        entry ??= next(specifier, context);
        return { ...entry, shortCircuit: true };
      }
      if (specifier.startsWith('.') && specifier.endsWith('.js') && MODULE_OF_PACKAGE.test(parentURL)) {
        return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
      }
      return next(specifier, context);
    },
  });
}
