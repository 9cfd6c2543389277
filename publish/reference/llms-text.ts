import { type EndpointReference, tags } from "../../local/endpoints/endpoint-reference.ts";

/** `docs/api/llms.txt`: what is here, for programs that read documentation (llmstxt.org). */
export const llmsText = (references: readonly EndpointReference[]): string => `# countinghouse

> Financial read interfaces over HTTP: ${Object.keys(tags).join(", ")}. JSON, reads only, amounts with every digit.

A client keeps these rules, which a schema cannot say:

1. Read numbers as decimals: amounts have more digits than a double. JavaScript: \`JSON.parse\` with a reviver that takes the \`source\` of a number.
   Python: \`json.loads(text, parse_float=Decimal)\`. Prices and quantities of trades are strings.
2. Sign each request of the exchange anew, repetitions too: Ed25519 over timestamp, method, path and query with nothing between them. Build the
   URL first: the query is signed byte for byte as it is sent.
3. Follow pages as they are given. Transactions: append the \`Link\` of \`rel="next"\` to the URL of the list. Trades: send \`metadata.next_cursor\`
   as \`cursor\`, with the same dates or none. Only a page without either is the last; an empty one is not.
4. Step through windows without a gap or an overlap. Transactions: the next one begins at the \`to\` of the last. Trades: both ends are included,
   so the next older one ends at \`start_date - 1\`.
5. Wait for \`retry_after_ms\`, always milliseconds. \`Retry-After\` counts milliseconds on the exchange and seconds elsewhere: switch off the
   automatic retries of HTTP libraries there.
6. Repeat after 429, 503 and a lost connection, more slowly each time; every endpoint is a read. Never repeat a 400, 401, 403 or 409 unchanged,
   except a poll of a pass at its usual time. Stop polling a pass after 404 or 410 only; a sell order that is a 404 may still come.
7. Ignore unknown fields, and treat an absent field as unknown, never as zero.
8. Send a \`Request-Id\` that you log, and quote the \`error_id\` of a failure to the operator.

## For a client

- [Reference](../reference.md): parameters, fields, statuses and limits, with recorded answers
- [OpenAPI 3.1](openapi.json): the same as data; \`npm start\` serves it at \`/openapi.json\`
- [Amounts and waits](../amounts.md): how languages and generated clients keep the digits, and what HTTP libraries do by themselves
- [Errors](../errors.md): each code and what to do about it
- [Signing](../signing.md): signed requests of the exchange, with a vector
- [Passes](../passes.md): credentials of the wallet, entity tags, and the check of an endpoint
- [Client](../../client/README.md): a package for JavaScript and TypeScript that keeps these rules: use it rather than writing them again
- [Check a client](../check-client.md): a command that says which rules a client breaks
- [Programs](../examples/README.md): complete clients in TypeScript and Python

## Endpoints

${references.map(({ contract, title }) => `- \`${contract.method} ${contract.route}\`: ${title}`).join("\n")}

## For an operator

- [Operations](../operations.md): settings of a stage, import, credentials, kill switch
- [Commands](../commands.md): every command of the operator's command line, its options, its JSON and its exit codes
- [Runbook](../runbook.md): for each alarm what callers see, and what to do
- [Faults](../faults.md): what each endpoint answers while the store, the token issuer or a clock is broken, and how it ends
- [Deployment](../deployment.md): deploy, take back, restore, permissions, and what only an account can tell
- [Schemas of imports](): one line of each kind of file
`;
