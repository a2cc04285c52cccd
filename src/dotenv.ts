import { existsSync } from 'node:fs';

/** What `--env-file-if-exists=.env` does, without a line on stderr where there is no such file. */
if (existsSync('.env')) process.loadEnvFile('.env');
