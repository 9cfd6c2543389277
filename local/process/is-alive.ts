/** Whether a process with an id runs on this machine, whoever's it is. */
export function isAlive(pid: number): boolean {
  // Other numbers mean groups of processes, this one's among them.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    // Signal 0 only tests whether the process exists.
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
