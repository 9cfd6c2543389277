import { BoundedTasks } from "../../lib/bounded-tasks.ts";

const AT_ONCE = 32;

/** Does something for each of many, 32 at once. The first fault is thrown once those under way have ended. */
export async function allOf<One>(many: Iterable<One>, act: (one: One) => Promise<unknown>): Promise<void> {
  const tasks = new BoundedTasks(AT_ONCE);
  const faults: unknown[] = [];
  for (const one of many) {
    if (faults.length > 0) break;
    await tasks.run(async () => {
      await act(one).catch((fault: unknown) => faults.push(fault));
    });
  }
  await tasks.end();
  if (faults.length > 0) throw faults[0];
}
