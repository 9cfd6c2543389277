import * as z from "zod/mini";
import { contractBrand } from "../../lib/brand.ts";

/** A signed request as JSON; with `--explain`, what is wrong with one, which is nothing where the list is empty. */
export const signShape = z.union([
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    curl: z.string(),
  }),
  z.object({ findings: z.array(z.string()) }),
]);

/** A signed request for the documents. */
export const exampleSigned: z.input<typeof signShape> = {
  method: "GET",
  url: "http://127.0.0.1:3000/1.0/trades/all/BTC-USD",
  headers: { [`${contractBrand.headerPrefix}Timestamp`]: "1795554000000" },
  curl: `curl -H '${contractBrand.headerPrefix}Timestamp: 1795554000000' …`,
};
