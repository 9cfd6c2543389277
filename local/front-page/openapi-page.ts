import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Brand, contractBrand } from "../../lib/brand.ts";
import type { Page } from "../gateway/page.ts";
import { commands, places } from "../installation.ts";

const DOCUMENT = join(places.documents, "api/openapi.json");

/** The address that the document names as its server. */
const NAMED_SERVER = "http://127.0.0.1:3000";

/** The OpenAPI document, for the address, the command and with the header names of this start. */
export async function openApiPage(
  baseUrl: string,
  { headerPrefix, versionHeader }: Pick<Brand, "headerPrefix" | "versionHeader">,
): Promise<Page> {
  const text = (await readFile(DOCUMENT, "utf8"))
    .replace(NAMED_SERVER, baseUrl)
    .replaceAll("`npm start`", `\`${commands.start}\``)
    .replaceAll(contractBrand.headerPrefix, headerPrefix)
    .replaceAll(contractBrand.versionHeader, versionHeader);
  return { type: "application/json", text };
}
