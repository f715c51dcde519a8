/** 128 and the number of SIGINT, as shells and other programs have it. */
const EXIT_INTERRUPTED = 130;

/** After Ctrl+C the program ends with 130, however what was under way has ended. For programs that handle it themselves. */
export function exitInterrupted(): void {
  process.once('SIGINT', () => {
    process.once('exit', () => {
      process.exitCode = EXIT_INTERRUPTED;
    });
  });
}
