import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { endpoints } from "../../infra/endpoints.ts";
import { type Brand, contractBrand } from "../../lib/brand.ts";
import type { Page } from "../gateway/page.ts";
import { credentialHeaders } from "../hints/request-seen.ts";
import { commands, places } from "../installation.ts";

/** What is served, as the JSON of the page has it. */
interface FrontPage {
  readonly service: string;
  readonly note: string;
  readonly baseUrl: string;
  readonly openapi: string;
  readonly reference: string;
  readonly endpoints: readonly {
    readonly request: string;
    readonly headers: string;
    readonly scope: string | null;
  }[];
  readonly commands: Readonly<Record<string, string>>;
}

const NOTE = `Only ${commands.start} answers at this address. A deployment answers 404 here, as an HTTP API does.`;

/** What programs read at the bare address: what is here, and where the reference is. It names no file and no credential. */
export function frontPage(baseUrl: string, brand: Pick<Brand, "headerPrefix">): Page {
  const page: FrontPage = {
    service: "countinghouse",
    note: NOTE,
    baseUrl,
    openapi: `${baseUrl}/openapi.json`,
    reference: `${places.shownDocuments}/reference.md`,
    endpoints: endpoints.map(({ contract }) => ({
      request: `${contract.method} ${contract.route}`,
      headers: credentialHeaders(contract, brand).join(", "),
      scope: contract.scope ?? null,
    })),
    commands: {
      [`${commands.ops} demo curl`]:
        "prints a curl line for each endpoint, with credentials that are valid here",
      [`${commands.startWith} --about`]: "says how this machine differs from AWS",
      [`${commands.ops} --help`]: "lists every other command",
    },
  };
  return {
    type: "application/json",
    text: `${JSON.stringify(page, null, 2)}\n`,
  };
}

const DOCUMENT = join(places.documents, "api/openapi.json");

/** The address that the document names as its server. */
const NAMED_SERVER = "http://127.0.0.1:3000";

/** The OpenAPI document, for the address, the command and with the header names of this start. */
async function openApiPage(
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

/** The texts that are served beside the endpoints, by path. */
export const frontPages = async (baseUrl: string, brand: Brand): Promise<ReadonlyMap<string, Page>> =>
  new Map([
    ["/", frontPage(baseUrl, brand)],
    ["/openapi.json", await openApiPage(baseUrl, brand)],
  ]);
