import type { ServerResponse } from 'node:http';
import { escapeMarkup } from '../http/escape-markup.ts';

/** The page for the person installing the bot, with the next link. */
export interface InstallPage {
  readonly status: number;
  readonly title: string;
  readonly words: string;
  /** A link to continue. */
  readonly next?: { readonly href: string; readonly label: string };
}

const style = `:root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 34rem; padding: 12vh 1.5rem 2rem }
h1 { font-size: 1.4rem; line-height: 1.3 }
p, h1 { overflow-wrap: anywhere }
a { display: inline-block; margin-top: .5rem; padding: .7rem 1.2rem; border-radius: .5rem; background: #1f2a44; color: #fff; text-decoration: none }`;

/** The address carries a code, so nothing is loaded, cached or sent on to a link's target. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function showInstallPage(response: ServerResponse, { status, title, words, next }: InstallPage): void {
  const link =
    next === undefined ? '' : `\n<a href="${escapeMarkup(next.href)}">${escapeMarkup(next.label)}</a>`;
  response.writeHead(status, headers);
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)} · Countersign</title>
<style>${style}</style>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(words)}</p>${link}
</html>
`);
}
