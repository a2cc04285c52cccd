/** A process that starts the embedded database in the folder it is told, prints how that went, and stays. */
import { startEmbeddedPostgres } from '../../src/store/embedded/supervisor.ts';

const { url, ownerUrl, adopted } = await startEmbeddedPostgres({
  dataDir: process.argv[2] ?? '',
  log: { info() {}, warn() {}, error() {} },
});
process.stdout.write(`${JSON.stringify({ url, ownerUrl, adopted })}\n`);
setInterval(() => {}, 60_000);
