const CHECK_MS = 300;

/**
 * Calls `gone` once when this process's parent has ended. npm signals only the shell that runs a script, and the shell exits
 * without forwarding the signal. The watch does not keep the process alive.
 *
 * @returns a function that ends the watch.
 */
export function onParentGone(gone: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
