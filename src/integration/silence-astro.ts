import type { AstroIntegrationLogger } from 'astro';

type Logger = Pick<AstroIntegrationLogger, 'options' | 'label'>;
type LogEvent = Parameters<AstroIntegrationLogger['options']['destination']['write']>[0];

let onlyOurs = false;

/** For commands that sum up themselves: of what Astro says, only warnings and errors are shown from now on. */
export function silenceAstro(): void {
  onlyOurs = true;
}

/** Lets through what concerns a person: after `silenceAstro` our own lines, warnings and errors. */
export function silenceNow(logger: Logger): void {
  if (!onlyOurs) return;
  filterLog(logger, ({ level, label, message }) => {
    // The error itself follows, with what it is about.
    if (label === 'vite' && message.includes('Build failed in')) return false;
    return level !== 'info' || label === logger.label;
  });
}

/**
 * Keeps Astro from printing a line for every page and image, which buries warnings among thousands of them.
 * @returns Puts things back.
 */
export function silencePages(logger: Logger): () => void {
  return filterLog(logger, ({ level, label }) => level !== 'info' || (label !== null && label !== 'SKIP_FORMAT'));
}

/** Astro counts the pages of its own loop, which is none where pages are rendered before: our line has the number. */
export function silencePageCount(logger: Logger): void {
  filterLog(logger, ({ label, message }) => label !== 'build' || !message.startsWith('0 page(s) built in'));
}

const MISSING_REFERENCE = /references "([^"]+)" in collection "products", but that entry does not exist/;

/** Drops errors about references to products that exist: Astro looks for them in its own store, which has none. */
export function silenceReferences(logger: Logger, hasProduct: (id: string) => boolean): void {
  filterLog(logger, ({ message }) => {
    const [, id] = MISSING_REFERENCE.exec(message) ?? [];
    return id === undefined || !hasProduct(id);
  });
}

/** All loggers of a run share their options, so this reaches Astro's own lines. */
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
