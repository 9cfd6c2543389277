// The component as one script, to which the package exports no path.
import scriptUrl from "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js?url";
import type { Shade } from "../style/theme.tsx";

/** As much of the component's interface as is used here (@scalar/api-reference, "standalone"). */
interface ScalarComponent {
  readonly createApiReference: (
    place: HTMLElement,
    configuration: Readonly<Record<string, unknown>>,
  ) => { readonly destroy: () => void };
}

/** A reference on the page. */
interface ShownReference {
  readonly close: () => void;
}

/**
 * What keeps the component to this page: it sends no events, loads no fonts, asks no assistant, and has no request window
 * of its own, which fails the checks of axe and does not know how requests are signed.
 */
const SETTINGS = {
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  // Its samples of requests would lack the signature.
  hiddenClients: true,
  theme: "none",
  hideTestRequestButton: true,
  hideClientButton: true,
  hideDarkModeToggle: true,
  persistAuth: false,
} as const;

/**
 * Shows the document at a URL of this origin in a place of the page. The component is loaded with the first call.
 *
 * @throws {Error} when the component cannot be loaded.
 */
export async function showReference(
  place: HTMLElement,
  { url, shade }: { readonly url: string; readonly shade: Shade },
): Promise<ShownReference> {
  const { createApiReference } = await component();
  const { destroy } = createApiReference(place, { ...SETTINGS, url, forceDarkModeState: shade });
  return { close: destroy };
}

let loading: Promise<ScalarComponent> | undefined;

function component(): Promise<ScalarComponent> {
  loading ??= loadScript(scriptUrl).then(() => (window as unknown as { Scalar: ScalarComponent }).Scalar);
  return loading;
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src });
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`${src} could not be loaded.`)));
    document.head.append(script);
  });
}
