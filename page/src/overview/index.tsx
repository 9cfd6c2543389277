import { useSession } from "../api/session.tsx";
import { Table } from "../parts/table.tsx";
import { FirstRequest } from "./first-request.tsx";
import { ResetDemo } from "./reset-demo.tsx";

/** The first screen: what a first request needs, every endpoint, and the way back to the beginning. */
export function Overview() {
  const { commands } = useSession();
  return (
    <>
      <h1>Overview</h1>
      <FirstRequest />
      <Endpoints />
      <ResetDemo />
      <p>
        Only the local server has this page: a deployment answers 404 at this address, as an HTTP API does.{" "}
        <code>{commands.startWith} --about</code> says how else this machine differs from AWS. Licences:{" "}
        <a href="/_page/licenses.md">of the parts of this page</a>.
      </p>
    </>
  );
}

function Endpoints() {
  const { mutualTlsUrl, endpoints } = useSession();
  return (
    <>
      <Table
        caption="The endpoints"
        head={["Request", "What it does", "Credential", "Scope"]}
        rows={endpoints.map(({ name, method, route, title, security, scope }) => [
          <a key={name} href={`#/try/${name}`}>
            <code>
              {method} {route}
            </code>
          </a>,
          title,
          security.join(", or "),
          scope === null ? "none" : <code key={scope}>{scope}</code>,
        ])}
      />
      <p>
        Clients with certificates are answered at <code>{mutualTlsUrl}</code>.
      </p>
    </>
  );
}
