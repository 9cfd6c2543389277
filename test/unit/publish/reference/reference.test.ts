import { describe, expect, test } from "vitest";
import { endpoints } from "../../../../infra/endpoints.ts";
import { endpointReferences } from "../../../../local/endpoints/endpoints.ts";
import { documentSchema } from "../../../../local/endpoints/json-schema.ts";
import { errorRecord } from "../../../../local/endpoints/records/error.ts";
import { referenceFiles } from "../../../../publish/reference/reference-files.ts";
import { projectText } from "../../../support/project.ts";

const files = Object.entries(await referenceFiles());

describe("the reference", () => {
  test.each(files)("%s is as npm run write -- reference writes it", async (path, text) => {
    expect(projectText(path)).toBe(text);
  });

  test("describes every endpoint that is deployed, and no other", () => {
    const described = endpointReferences.map(({ contract }) => contract.name);
    expect(described.toSorted()).toEqual(endpoints.map(({ contract }) => contract.name).toSorted());
  });
});

describe("the schema of a document", () => {
  const { shape: errorBody, texts: errorTexts } = errorRecord;
  const options = { title: "Error", isClosed: true };

  test("is refused when a member has no text, or a text no member", () => {
    const { error_id, ...others } = errorTexts;
    expect(() => documentSchema(errorBody, { ...options, texts: others })).toThrow("error_id has no text");
    const more = { ...errorTexts, "error_id.of": "Nothing." };
    expect(() => documentSchema(errorBody, { ...options, texts: more })).toThrow("no member error_id.of");
    expect(error_id).toBeDefined();
  });

  test("refuses unnamed members only when it is closed", () => {
    const texts = errorTexts;
    expect(documentSchema(errorBody, { ...options, texts }).additionalProperties).toBe(false);
    expect(documentSchema(errorBody, { ...options, texts, isClosed: false })).not.toHaveProperty(
      "additionalProperties",
    );
  });
});
