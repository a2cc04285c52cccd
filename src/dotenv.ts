import { existsSync } from 'node:fs';

/** Like `--env-file-if-exists=.env`, without a line on stderr when there is no such file. */
if (existsSync('.env')) process.loadEnvFile('.env');
