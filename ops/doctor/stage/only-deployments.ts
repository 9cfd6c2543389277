import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { places } from "../../../local/installation.ts";

/** Something that is known of AWS only from reading, and that a deployment shows. */
export interface OpenClaim {
  readonly claim: string;
  /** The command that shows it, as the document has it. */
  readonly how: string;
}

const HEADING = "## What only an account can tell";
const LINK = /\[([^\]]+)\]\([^)]*\)/g;

/** The claims about deployments in docs/deployment.md, for a stage. */
export async function readOpenClaims(stageName: string): Promise<readonly OpenClaim[]> {
  const document = await readFile(join(places.documents, "deployment.md"), "utf8");
  return openClaims(document, stageName);
}

/** The rows of the last table of that section: claim, command. */
function openClaims(document: string, stageName: string): readonly OpenClaim[] {
  const section = document.slice(document.indexOf(HEADING));
  const table = section.slice(section.lastIndexOf("| claim |"));
  return table
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith("|"))
    .map((line) => {
      const cells = line.slice(1).split(/ \|(?: |$)/);
      const plain = (text = "") => text.trim().replaceAll(LINK, "$1").replaceAll("<name>", stageName);
      return { claim: plain(cells[0]), how: plain(cells[1]) };
    });
}
