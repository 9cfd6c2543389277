import { useSession } from "../api/session.tsx";
import { useRoute } from "../use-route.ts";
import { EndpointTrial } from "./endpoint-trial.tsx";
import styles from "./try-it.module.css";

/** Sends requests of the endpoints, with the demo's credentials. */
export function TryIt({ endpoint }: { readonly endpoint?: string }) {
  const { endpoints } = useSession();
  const { query } = useRoute();
  const chosen = endpoints.find(({ name }) => name === endpoint) ?? endpoints[0];
  if (chosen === undefined) return <h1>No endpoint is served</h1>;
  return (
    <>
      <h1>
        Try{" "}
        <code>
          {chosen.method} {chosen.route}
        </code>
      </h1>
      <nav class={styles.endpoints} aria-label="Endpoints">
        <ul>
          {endpoints.map(({ name, title }) => (
            <li key={name}>
              <a href={`#/try/${name}`} {...(name === chosen.name && { "aria-current": "page" as const })}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <EndpointTrial key={`${chosen.name}?${query}`} endpoint={chosen} />
    </>
  );
}
