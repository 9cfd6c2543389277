import { useSession } from "../api/session.tsx";
import { Table } from "../parts/table.tsx";
import { BeginAgain } from "./begin-again.tsx";
import styles from "./overview.module.css";

/** What each screen is for, in the order of the navigation. */
const SCREENS = [
  [
    "#/try",
    "Try it",
    "Send a request with the demo's credentials, and see what was signed and what came back.",
  ],
  ["#/market", "Market", "Price and volume of the demo's trades, and what reading them costs of the limit."],
  ["#/records", "Records", "An order, a transaction and a pass, which you move from state to state."],
  ["#/log", "Live log", "Each request as it is answered, whoever sent it, and faults on purpose."],
  ["#/reference", "Reference", "The OpenAPI document, to read and to search."],
] as const;

/** The first screen: what is served here, and where to try it. */
export function Overview() {
  const { commands } = useSession();
  return (
    <>
      <h1>What is here</h1>
      <ul class={styles.screens}>
        {SCREENS.map(([address, title, text]) => (
          <li key={address}>
            <a href={address}>{title}</a>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <Endpoints />
      <BeginAgain />
      <p>
        Only the local server has this page: a deployment answers 404 at this address, as an HTTP API does.{" "}
        <code>{commands.startWith} --about</code> says how else this machine differs from AWS. Licences:{" "}
        <a href="/_page/licenses.md">of the parts of this page</a>.
      </p>
    </>
  );
}

function Endpoints() {
  const { baseUrl, mutualTlsUrl, endpoints } = useSession();
  return (
    <>
      <Table
        caption="The endpoints"
        head={["Request", "What it does", "Scheme", "Scope"]}
        rows={endpoints.map(({ name, method, route, title, scheme, scope }) => [
          <a key={name} href={`#/try/${name}`}>
            <code>
              {method} {route}
            </code>
          </a>,
          title,
          scheme,
          scope === null ? "none" : <code key={scope}>{scope}</code>,
        ])}
      />
      <p>
        They answer at <code>{baseUrl}</code>, and to clients with certificates at <code>{mutualTlsUrl}</code>
        .
      </p>
    </>
  );
}
