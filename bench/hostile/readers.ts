import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { allManifests } from '../../manifests/all.ts';
import { openCatalogue as toolsOf } from '../../src/core/catalogue.ts';
import { parseJson } from '../../src/core/json.ts';
import { queryBook } from '../../src/core/queries/bind.ts';
import { looksLikeNotation } from '../../src/notation/looks.ts';
import { parse } from '../../src/notation/parse.ts';
import { acceptRequest } from '../../src/request/clean-input.ts';
import { readSubcommand } from '../../src/request/subcommand.ts';
import { kqlText } from '../../src/vendors/azure/kql.ts';
import { openCatalogue } from '../../src/vendors/error-catalogue/catalogue.ts';
import { textOf } from '../../src/vendors/jira/adf.ts';
import { readResult } from '../../src/vendors/mcp/result.ts';
import { openRunbooks } from '../../src/vendors/runbooks/search.ts';
import { readExport } from '../../src/vendors/splunk/export.ts';
import { splText } from '../../src/vendors/splunk/spl.ts';
import { masked } from '../../tools/mask-card-numbers.ts';

/** Every parser of other people's text, called as the bot does: with the limits in front of it. */
export interface Reader {
  readonly name: string;
  /** Resolves with the size of the result; rejects with a clear error when the text is not accepted. */
  read(text: string): Promise<number>;
}

/** Maximum characters of an answer; larger ones are refused before parsing. */
const maxAnswer = 2_000_000;
const now = new Date('2026-03-10T12:00:00Z');
const tools = toolsOf(allManifests);
const pin = {
  name: 'notes.say',
  server: 'notes',
  tool: 'say',
  pinned: { effect: 'read', results: { length: 'whole' } },
};

function sized(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

async function withFile<T>(name: string, text: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'countersign-hostile-'));
  try {
    const file = path.join(folder, name);
    await writeFile(file, text);
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function catalogue(name: string): Reader['read'] {
  return (text) =>
    withFile(name, text, async (file) =>
      sized(await openCatalogue([file]).lookUp('E-1 of the pool', AbortSignal.timeout(60_000))),
    );
}

/** The maximum length of a plan's step; longer texts are refused before parsing. */
function goal(read: (text: string) => unknown): Reader['read'] {
  return async (text) => {
    const incoming = {
      teamId: 'T1',
      text,
      via: 'command',
      requester: 'U1',
      channel: 'C1',
      threadTs: null,
    } as const;
    const accepted = acceptRequest({ ...incoming, quoted: text }, { id: '1', now });
    return sized(read(accepted.ok ? accepted.request.goal : text.slice(0, 2_000)));
  };
}

export const readers: readonly Reader[] = [
  {
    name: 'runbooks',
    read: (text) =>
      withFile('a.md', text, async (file) => {
        const shelf = openRunbooks({ folder: path.dirname(file), address: null, now: () => now });
        const query = { words: 'pool of checkout exhausted', service: null, code: 'E-1' };
        return sized(await shelf.search(query, 5, AbortSignal.timeout(60_000)));
      }),
  },
  { name: 'errors in YAML', read: catalogue('errors.yml') },
  { name: 'errors in Markdown', read: catalogue('errors.md') },
  {
    name: 'a document of Jira',
    read: async (text) => {
      const paragraph = { type: 'paragraph', content: [{ type: 'text', text }] };
      return sized(
        textOf(parseJson(text.slice(0, maxAnswer)) ?? { type: 'doc', content: Array(1_000).fill(paragraph) }),
      );
    },
  },
  { name: 'words for /plan', read: goal((text) => readSubcommand(text)) },
  {
    name: 'plan notation',
    read: goal((text) => [looksLikeNotation(text, tools), parse(text, tools.manifests)]),
  },
  {
    name: 'a result of MCP',
    read: async (text) =>
      sized(
        readResult(pin as never, { content: [{ type: 'text', text: text.slice(0, maxAnswer) }] }, [
          'hunter2-hunter2',
        ]),
      ),
  },
  {
    name: 'an export of Splunk',
    read: async (text) => {
      async function* pieces() {
        for (let at = 0; at < text.length; at += 65_536) {
          yield Buffer.from(text.slice(at, at + 65_536));
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      return sized(await readExport(pieces(), 100));
    },
  },
  {
    name: 'a handwritten query',
    read: async (text) => {
      const bind = (language: 'kql' | 'spl') =>
        queryBook([], new Set([language])).bind(language, { query: text.slice(0, 4_000) }, now);
      return sized([kqlText(bind('kql')), splText(bind('spl'))]);
    },
  },
  { name: 'lines for a channel', read: async (text) => sized(masked(text.slice(0, 100_000))) },
];
