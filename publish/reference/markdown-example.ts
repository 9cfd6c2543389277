import { parseExactJson } from "../../lib/json/exact-json.ts";
import type { RecordedExample } from "./recorded-example.ts";

/** A request and its answer as they went over the wire, with the body set out in lines. The reader opens it. */
export function exampleBlock({ name, code, request, response }: RecordedExample, method: string): string {
  const title = code === undefined ? name : `<code>${response.status} ${code}</code>`;
  const lines = (headers: Readonly<Record<string, string>>): string[] =>
    Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  const exchange = [
    `${method} ${request.target}`,
    ...lines(request.headers),
    "",
    `HTTP/1.1 ${response.status}`,
    ...lines(response.headers),
    ...(response.body === "" ? [] : ["", JSON.stringify(parseExactJson(response.body), null, 2)]),
  ];
  return `<details><summary>${title}</summary>\n\n\`\`\`http\n${exchange.join("\n")}\n\`\`\`\n\n</details>`;
}
