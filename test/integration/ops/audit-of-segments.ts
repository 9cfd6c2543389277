import { scan } from "../../../lib/dynamo/scan.ts";
import { openLocalStore } from "../../../ops/store/local-store.ts";

/** Command, target and outcome of each line that the audit of a data directory has about segments, in order of the texts. */
export async function auditOfSegments(data: string): Promise<string[]> {
  const { table, close } = await openLocalStore({ data });
  try {
    const lines = await Array.fromAsync(scan(table("Audit")));
    const texts = lines.map(({ command, target, outcome }) => [command?.S, target?.S, outcome?.S].join(", "));
    // Imports tell the audit too.
    return texts.filter((text) => text.startsWith("segments")).sort((a, b) => (a < b ? -1 : 1));
  } finally {
    await close();
  }
}
