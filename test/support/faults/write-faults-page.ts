import { writeFileSync } from "node:fs";
import { faultsPage } from "./faults-page.ts";

/** Writes `docs/faults.md`. */
writeFileSync(new URL("../../../docs/faults.md", import.meta.url), faultsPage());
