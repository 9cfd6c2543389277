// Starts a house of the package whose module is named, asks it once, and prints what this process then holds, in MB.
const [module] = process.argv.slice(2);
if (module !== undefined) {
  const { startCountinghouse } = await import(module);
  const { baseUrl, credentials } = await startCountinghouse();
  const { orderId, apiKey } = credentials.ramp;
  const answer = await fetch(`${baseUrl}/sell-orders/${orderId}`, { headers: { "x-api-key": apiKey } });
  if (answer.status !== 200) throw new Error(`The order was answered with ${answer.status}.`);
}
console.log(process.memoryUsage.rss() / 1_048_576);
process.exit(0);
