/**
 * Stands for `node:http` in bundles. An import of that module reads everything it exports, and so makes Node.js load its
 * WebSocket, with a second HTTP stack: 45 ms and 4 MB in each thread.
 */
const http = process.getBuiltinModule("node:http");

export default http;
export const { Agent, createServer, get, request, STATUS_CODES } = http;
