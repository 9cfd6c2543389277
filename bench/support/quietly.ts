/** Runs something whose lines on standard output nobody wants to see: each request of a handler prints one. */
export async function quietly<Result>(run: () => Promise<Result>): Promise<Result> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  try {
    return await run();
  } finally {
    process.stdout.write = write;
  }
}
