import { writeFileSync } from "node:fs";
import { fidelityPage } from "./fidelity-page.ts";

/** Writes `docs/fidelity.md`. */
writeFileSync(new URL("../../docs/fidelity.md", import.meta.url), fidelityPage());
