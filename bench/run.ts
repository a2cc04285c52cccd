import { bench } from './bench.ts';

process.exitCode = await bench(process.argv.slice(2), console.log, console.error);
