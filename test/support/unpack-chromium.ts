import chromium from "@sparticuz/chromium";

/** Unpacks the browser in a separate process, because the package does so below the TMPDIR of the whole process. */
await chromium.executablePath();
