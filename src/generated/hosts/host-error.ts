import type { Host } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';

/** Thrown before anything is published that the host would refuse, or read only a part of. */
export function hostLimit(host: Host, problem: string): SortimentError {
  return new SortimentError('HOST_LIMIT', `The site exceeds a limit of the host "${host}": ${problem}.`, {
    hint: "Set `host` in src/sortiment.config.ts to 'none', where moved pages become small redirect pages, or choose a host without this limit.",
  });
}
