import { type EndpointReference, tags } from "./endpoint-reference.ts";

/** `llms.txt`: what is here, for programs that read documentation (llmstxt.org). */
export const llmsText = (references: readonly EndpointReference[]): string => `# countinghouse

> Four financial read interfaces over HTTP: ${Object.keys(tags).join(", ")}. JSON, reads only, amounts with every digit.

## For a client

- [Guide](docs/agent-guide.md): how to keep digits, sign, page, wait and repeat
- [Reference](docs/reference.md): parameters, fields, statuses and limits, with recorded answers
- [OpenAPI 3.1](docs/api/openapi.json): the same as data; \`npm start\` serves it at \`/openapi.json\`
- [Amounts and waits](docs/amounts.md): how JavaScript, Python, Go and Java keep the digits and wait in the right unit
- [Errors](docs/errors.md): each code and what to do about it
- [Signing](docs/signing.md): signed requests of the exchange, with a vector
- [Passes](docs/passes.md): credentials of the wallet, entity tags, and the check of an endpoint
- [Client](client/README.md): a package for JavaScript and TypeScript that keeps the rules of the guide
- [Check a client](docs/check-client.md): a command that says which rules a client breaks, and what HTTP libraries do by themselves
- [Programs](examples/README.md): complete clients in TypeScript and Python

## Endpoints

${references.map(({ contract, title }) => `- \`${contract.method} ${contract.route}\`: ${title}`).join("\n")}

## For an operator

- [Operations](docs/operations.md): settings of a stage, import, credentials, kill switch
- [Commands](docs/commands.md): every command of the operator's command line, its options, its JSON and its exit codes
- [Runbook](docs/runbook.md): for each alarm what it means, what to do, and when it is over
- [Faults](docs/faults.md): what each endpoint answers while the store, the token issuer or a clock is broken, and how it ends
- [Deployment](docs/deployment.md): deploy, take back, restore, permissions, and what only an account can tell
- [Schemas of imports](docs/api/): one line of each kind of file
`;
