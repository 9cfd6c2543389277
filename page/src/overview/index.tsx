import { useSession } from "../api/session.tsx";
import { Table } from "../parts/table.tsx";

/** The first screen: what is served here, and where to try it. */
export function Overview() {
  const { baseUrl, mutualTlsUrl, endpoints } = useSession();
  return (
    <>
      <h1>What is here</h1>
      <p>
        The API is at <code>{baseUrl}</code>, and for clients with certificates at <code>{mutualTlsUrl}</code>
        . Only the local server has this page: a deployment answers 404 here, as an HTTP API does.
      </p>
      <Table
        caption="The endpoints"
        head={["Request", "Scheme", "Scope"]}
        rows={endpoints.map(({ name, method, route, scheme, scope }) => [
          <a key={name} href={`#/try/${name}`}>
            <code>
              {method} {route}
            </code>
          </a>,
          scheme,
          scope ?? "none",
        ])}
      />
      <ul>
        <li>
          <a href="#/market">Market</a>: price and volume of the demo's trades, and what they cost of the
          limit.
        </li>
        <li>
          <a href="#/records">Records</a>: an order, a transaction and a pass, from state to state.
        </li>
        <li>
          <a href="#/log">Live log</a>: each request as it is answered, and faults on purpose.
        </li>
        <li>
          <a href="#/reference">Reference</a>: the OpenAPI document, to read.
        </li>
      </ul>
    </>
  );
}
