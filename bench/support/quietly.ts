/** Runs something without its standard output, where a handler prints a line for each request. */
export async function quietly<Result>(run: () => Promise<Result>): Promise<Result> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  try {
    return await run();
  } finally {
    process.stdout.write = write;
  }
}
