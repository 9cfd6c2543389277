import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { endpointReferences } from "../../local/endpoints/endpoints.ts";
import { importSchemas } from "../../local/endpoints/schemas.ts";
import { clientContract } from "./client-contract.ts";
import { commandsPage } from "./commands/commands-page.ts";
import { httpFile } from "./http-file.ts";
import { llmsText } from "./llms-text.ts";
import { referencePage } from "./markdown.ts";
import { openApiDocument } from "./openapi.ts";
import { postmanCollection } from "./postman.ts";
import { readExamples } from "./recorded-example.ts";

/** Every file that `npm run write -- reference` writes, by its path from the top of the project. */
export async function referenceFiles(): Promise<Readonly<Record<string, string>>> {
  const endpoints = await Promise.all(
    endpointReferences.map(async (reference) => ({
      reference,
      examples: await readExamples(reference.contract.name),
    })),
  );
  const schemas = Object.entries(importSchemas()).map(
    ([kind, schema]) => [`docs/api/${kind}.schema.json`, jsonText(schema)] as const,
  );
  return {
    "docs/api/llms.txt": llmsText(endpointReferences),
    "client/src/contract.ts": clientContract(endpointReferences),
    "docs/reference.md": referencePage(endpoints),
    "docs/commands.md": await commandsPage(),
    "docs/api/openapi.json": jsonText(openApiDocument(endpoints, await projectVersion())),
    "docs/api/countinghouse.http": httpFile(endpointReferences),
    "docs/api/countinghouse.postman_collection.json": jsonText(postmanCollection(endpointReferences)),
    ...Object.fromEntries(schemas),
  };
}

/** Numbers of the examples keep their digits: they are raw JSON. */
const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

async function projectVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, "../../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

// Everything that integrators read has one source: the contracts, the shapes that records are checked against, the texts of
// `local/endpoints/`, and answers of the local service. A test fails where a written file is stale.
if (import.meta.main)
  for (const [path, text] of Object.entries(await referenceFiles())) {
    const file = join(import.meta.dirname, "../..", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    console.log(path);
  }
