import chromium from "@sparticuz/chromium";

// A process of its own, because the package unpacks itself below the TMPDIR of the whole process.
await chromium.executablePath();
