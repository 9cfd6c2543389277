/**
 * uPlot asks for the number format of the browser's language while it is loaded, and throws where the language is not a
 * language tag: a Chromium without a locale, as in a container, says `en-US@posix`.
 */
function mendLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en", configurable: true });
  }
}

mendLanguage();

/** The chart library. */
export const { default: uPlot } = await import("uplot");
