/** Runs something with these environment variables set, and restores the previous values afterwards. */
export async function withEnvironment<Result>(
  variables: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
