import { useSession } from "../api/session.tsx";

/** Sends a request of an endpoint, with the demo's credentials. */
export function TryIt({ endpoint }: { readonly endpoint?: string }) {
  const { endpoints } = useSession();
  const chosen = endpoints.find(({ name }) => name === endpoint) ?? endpoints[0];
  return <h1>Try {chosen?.route}</h1>;
}
