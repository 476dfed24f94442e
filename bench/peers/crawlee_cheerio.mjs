// Crawlee for JavaScript: node crawlee_cheerio.mjs SEED OUT PACKAGES
// CheerioCrawler, no sessions, nothing persisted but the bodies in one file and one JSON line about
// each page; concurrency pinned. PACKAGES is the folder that holds node_modules.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const [seed, out, packages] = process.argv.slice(2);
const require = createRequire(`${packages}/`);
const { CheerioCrawler, Configuration, LogLevel, log } = require('@crawlee/cheerio');

const CONCURRENCY = 16;
log.setLevel(LogLevel.ERROR);
const bodies = fs.createWriteStream(`${out}/bodies.bin`);
const pages = fs.createWriteStream(`${out}/pages.jsonl`);

const crawler = new CheerioCrawler(
  {
    minConcurrency: CONCURRENCY,
    maxConcurrency: CONCURRENCY,
    maxRequestRetries: 0,
    respectRobotsTxtFile: true,
    useSessionPool: false,
    async requestHandler({ request, body, $, enqueueLinks }) {
      bodies.write(body);
      pages.write(`${JSON.stringify({ url: request.loadedUrl, title: $('title').text() })}\n`);
      await enqueueLinks({ strategy: 'all', regexps: [/^http:\/\/127\.0\./], exclude: [/\.(pdf|jpg|zip)$/] });
    },
  },
  new Configuration({
    availableMemoryRatio: 0.8,
    persistStorage: false,
    storageClientOptions: { localDataDirectory: `${out}/storage` },
  }),
);
await crawler.run([seed]);
bodies.end();
pages.end();
