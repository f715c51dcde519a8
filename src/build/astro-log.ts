import type { AstroIntegrationLogger } from 'astro';

type Logger = Pick<AstroIntegrationLogger, 'options' | 'label'>;
type LogEvent = Parameters<AstroIntegrationLogger['options']['destination']['write']>[0];

let isSilenced = false;

/** Restricts Astro's log to warnings and errors from now on, for commands with their own summary. */
export function hideAstroInfo(): void {
  isSilenced = true;
}

/** Passes only Sortiment's lines, warnings and errors after `silenceAstro`. */
export function applyLogFilter(logger: Logger): void {
  if (!isSilenced) return;
  filterLog(logger, ({ level, label, message }) => {
    // The error itself follows, with its context.
    if (label === 'vite' && message.includes('Build failed in')) return false;
    return level !== 'info' || label === logger.label;
  });
}

/**
 * Suppresses Astro's line for each page and image, which would bury warnings.
 *
 * @returns A function that restores the log.
 */
export function hidePageLines(logger: Logger): () => void {
  return filterLog(logger, ({ level, label }) => level !== 'info' || (label !== null && label !== 'SKIP_FORMAT'));
}

/** Suppresses Astro's page count, which is zero if pages are rendered before its own loop. */
export function hidePageCount(logger: Logger): void {
  filterLog(logger, ({ label, message }) => label !== 'build' || !message.startsWith('0 page(s) built in'));
}

const MISSING_REFERENCE = /references "([^"]+)" in collection "products", but that entry does not exist/;

/** Drops errors about references to existing products: Astro looks them up in its own store, which has none. */
export function hideReferenceErrors(logger: Logger, hasProduct: (id: string) => boolean): void {
  filterLog(logger, ({ message }) => {
    const [, id] = MISSING_REFERENCE.exec(message) ?? [];
    return id === undefined || !hasProduct(id);
  });
}

/** Filters the log of a run. All of its loggers share their options, so this includes Astro's own lines. */
function filterLog({ options }: Logger, passes: (event: LogEvent) => boolean): () => void {
  const { destination } = options;
  options.destination = {
    ...destination,
    write: (event) => {
      if (passes(event)) destination.write(event);
    },
  };
  return () => {
    options.destination = destination;
  };
}

/**
 * Turns off Astro's telemetry and update check, so that builds need no network. Existing values of the variables are
 * preserved.
 */
export function disableAstroNetwork(environment: NodeJS.ProcessEnv = process.env): void {
  environment['ASTRO_TELEMETRY_DISABLED'] ??= '1';
  environment['ASTRO_DISABLE_UPDATE_CHECK'] ??= 'true';
}
