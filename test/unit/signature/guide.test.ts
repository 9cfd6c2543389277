import { expect, test } from "vitest";
import { signedText } from "../../../lib/signature/canonical-request.ts";
import { isSignatureOf, readPublicKey } from "../../../lib/signature/ed25519.ts";
import { projectText } from "../../support/project.ts";

test("the vector of docs/signing.md is accepted", async () => {
  const guide = projectText("docs/signing.md");
  const cell = (name: string) => new RegExp(`^\\| ${name} \\| \`(.*)\` \\|$`, "m").exec(guide)?.[1] ?? "";
  const [method = "", url = ""] = cell("request").split(" ");
  const [path = "", query = ""] = url.split("?");
  const text = signedText({ timestamp: cell("timestamp"), method, path, rawQuery: query });
  expect(text).toBe(cell("text"));
  const key = readPublicKey(Buffer.from(cell("public key \\(hex\\)"), "hex"));
  expect(key && isSignatureOf(text, Buffer.from(cell("signature"), "base64"), key)).toBe(true);
});
