import { useEffect } from "preact/hooks";
import { headings, html } from "../../../docs/reference.md";
import { useSession } from "../api/session.tsx";
import styles from "./reference.module.css";

/**
 * What integrators read, as in `docs/reference.md`, with its contents beside it. Scalar's component would render the
 * OpenAPI document, with 269 packages and a script of 4.9 MB, but cannot sign and failed axe's checks.
 */
export function Reference() {
  const { baseUrl } = useSession();
  useEffect(() => {
    // The browser looked for the heading of the address before the screen was there.
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  const openApi = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/openapi.json`;
  return (
    <div class={styles.screen}>
      <nav class={styles.contents} aria-label="Contents">
        <ul>
          {headings.map(({ id, text, depth }) => (
            <li key={id} class={depth > 2 ? styles.part : undefined}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div
        class={styles.document}
        // A document of the project, which is trusted, rendered when the page was built
        dangerouslySetInnerHTML={{ __html: html.replaceAll("api/openapi.json", openApi) }}
      />
    </div>
  );
}
