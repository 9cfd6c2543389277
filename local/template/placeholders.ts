import type { LocalSettings } from "./local-stage.ts";

/**
 * The settings that the template of the npm package is synthesized with. Each word stands where the setting of a start
 * will be, and occurs in the template for no other reason.
 */
export const placeholders: LocalSettings = {
  brand: {
    headerPrefix: "Placeholder-Header-",
    venue: "PLACEHOLDERVENUE",
    ownAccount: "placeholder_account",
    versionHeader: "Placeholder-Version",
    basePath: "/placeholder-path",
  },
  corsOrigins: ["https://placeholder.example"],
  stockSdk: false,
};
