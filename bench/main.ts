// `npm run bench` measures, and `npm run bench -- soak` keeps `npm start` under a steady load.
if (process.argv[2] === "soak") {
  process.argv.splice(2, 1);
  await import("./soak/main.ts");
} else {
  await import("./measure.ts");
}
