const LOOK_EVERY_MS = 500;

/**
 * Aborted when npm has been ended around us: it hands signals to the shell that it runs a script in, and some shells
 * end without handing them on. Without npm a parent may come and go as it likes.
 */
export function parentGone(): AbortSignal {
  const controller = new AbortController();
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return controller.signal;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    controller.abort();
  }, LOOK_EVERY_MS);
  timer.unref();
  return controller.signal;
}
