import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Hono } from 'hono';

interface Bundle {
  script: string;
  style: string;
}

/** No other host may be contacted: the content of a message cannot load or send anything. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Countersign sandbox</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/page.css">
  </head>
  <body>
    <div id="root"></div>
    <noscript>This page needs JavaScript.</noscript>
    <script type="module" src="/page.js"></script>
  </body>
</html>
`;

/** The sandbox's web page at `/`. It is bundled in memory at the first request and uses `/api` of its own origin. */
export function pageRoutes(): Hono {
  const routes = new Hono();
  let bundled: Promise<Bundle> | undefined;
  const bundle = () => {
    bundled ??= bundlePage();
    return bundled;
  };
  routes.get('/', (c) => {
    // Starts bundling while the browser is still reading the page; /page.js reports a failure.
    bundle().catch(() => undefined);
    return c.html(page, 200, { 'content-security-policy': policy, 'cache-control': 'no-store' });
  });
  routes.get('/page.js', async (c) => {
    const { script } = await bundle();
    return c.body(script, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
    });
  });
  routes.get('/page.css', async (c) => {
    const { style } = await bundle();
    return c.body(style, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-store' });
  });
  return routes;
}

async function bundlePage(): Promise<Bundle> {
  const result = await build({
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
    entryPoints: { page: 'main.tsx', style: 'styles/page.css' },
    outdir: 'memory',
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  const textOf = (ending: string) =>
    result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}
