import * as z from "zod/mini";
import { type ServedRoute, serveRoute } from "../control/control-route.ts";
import type { DemoFile } from "../demo/demo-file.ts";
import type { Issuer } from "../identity/issuer.ts";
import { claimsOf } from "../identity/local-token.ts";

export interface TokenParts {
  readonly demo: () => Promise<DemoFile>;
  readonly issuer: Pick<Issuer, "mintToken">;
}

const tokenRoute = {
  name: "token",
  input: z.object({
    for: z.enum(["business", "wallet"]),
    scope: z.optional(z.string()),
    expiresInS: z.optional(z.int()),
    audience: z.optional(z.string()),
  }),
  output: z.object({ token: z.string() }),
};

/** The question for a token of the demo's business or wallet, right or wrong as it is wanted. */
export const tokenAnswers = ({ demo, issuer }: TokenParts): ServedRoute =>
  serveRoute(tokenRoute, async ({ for: holder, scope, expiresInS, audience }) => {
    const { business, passes } = await demo();
    const token = await issuer.mintToken({
      ...claimsOf(holder === "business" ? { business: business.id } : { wallet: passes.walletId }),
      ...(scope !== undefined && { scope }),
      ...(expiresInS !== undefined && { lifeS: expiresInS }),
      ...(audience !== undefined && { audience }),
    });
    return { token };
  });
