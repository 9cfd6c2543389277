import { useSession } from "../api/session.tsx";
import { useRoute } from "../use-route.ts";
import { EndpointTrial } from "./endpoint-trial.tsx";

/** Sends requests of the endpoints, with the demo's credentials. */
export function TryIt({ endpoint }: { readonly endpoint?: string }) {
  const { endpoints } = useSession();
  const { query } = useRoute();
  const chosen = endpoint === undefined ? endpoints[0] : endpoints.find(({ name }) => name === endpoint);
  return (
    <>
      <h1>
        {chosen === undefined ? "There is no endpoint" : "Try"}{" "}
        <code>{chosen === undefined ? endpoint : `${chosen.method} ${chosen.route}`}</code>
      </h1>
      {chosen === undefined && <p>Choose one of these:</p>}
      <nav aria-label="Endpoints">
        <ul class="row">
          {endpoints.map(({ name, title }) => (
            <li key={name}>
              <a href={`#/try/${name}`} {...(name === chosen?.name && { "aria-current": "page" as const })}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {chosen !== undefined && <EndpointTrial key={`${chosen.name}?${query}`} endpoint={chosen} />}
    </>
  );
}
