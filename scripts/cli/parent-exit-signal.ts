const POLL_MS = 500;

/**
 * Returns a signal that is aborted when npm exits. npm sends signals to the shell that runs a script, and some shells
 * exit without forwarding them. Without npm the parent is ignored.
 */
export function parentExitSignal(): AbortSignal {
  const controller = new AbortController();
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return controller.signal;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    controller.abort();
  }, POLL_MS);
  timer.unref();
  return controller.signal;
}
