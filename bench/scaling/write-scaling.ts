import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scalingPage } from "./page.ts";

await writeFile(join(import.meta.dirname, "../../docs/scaling.md"), await scalingPage());
