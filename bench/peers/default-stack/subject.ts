import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { createRemoteJWKSet, jwtVerify } from "jose";

const { PEER_JWKS_URL = "https://identity.test", PEER_ISSUER, PEER_AUDIENCE } = process.env;
const keys = createRemoteJWKSet(new URL(PEER_JWKS_URL));

/** The subject of a verified bearer token. */
export async function subjectOf(event: APIGatewayProxyEventV2): Promise<string> {
  const token = (event.headers.authorization ?? "").replace("Bearer ", "");
  const { payload } = await jwtVerify(token, keys, {
    issuer: PEER_ISSUER ?? "",
    audience: PEER_AUDIENCE ?? "",
  });
  return payload.sub ?? "";
}
