import { dirname, resolve } from 'node:path';
import type { Env } from '../config/env.ts';
import type { OperatorConfig } from '../config/schema.ts';
import type { LinkHosts } from '../core/address.ts';
import type { Readers } from '../core/ports.ts';
import { connectConfluence } from '../vendors/confluence/connect.ts';
import { connectErrors } from '../vendors/error-catalogue/connect.ts';
import { connectRunbooks } from '../vendors/runbooks/connect.ts';

interface KnowledgeDeps {
  readonly env: Env;
  readonly config: OperatorConfig;
  readonly now: () => Date;
}

interface Knowledge {
  readonly readers: Pick<Readers, 'runbooks' | 'errors'>;
  readonly hosts: LinkHosts;
}

/** Runbooks from a folder and the wiki, and the error catalogue. */
export function connectKnowledge({ env, config, now }: KnowledgeDeps): Knowledge {
  // Paths are relative to the folder of countersign.yml.
  const place = (file: string): string => resolve(dirname(env.COUNTERSIGN_CONFIG), file);
  const { runbooks, errors } = config;
  const folder = runbooks && { folder: place(runbooks.folder), address: runbooks.address ?? null, now };
  const files = (errors?.files ?? []).map(place);
  const books = connectRunbooks(folder ?? null);
  const wiki = connectConfluence(wikiOptions({ env, config, now }));
  return {
    readers: { runbooks: [...books.sources, ...wiki.sources], ...connectErrors(files) },
    hosts: [...books.hosts, ...wiki.hosts],
  };
}

/** Null where Confluence is not set up. */
export function wikiOptions({ env, config, now }: KnowledgeDeps): Parameters<typeof connectConfluence>[0] {
  const { CONFLUENCE_HOST: host, JIRA_EMAIL: email, JIRA_API_TOKEN: apiToken } = env;
  if (!config.confluence || !host || !email || !apiToken) return null;
  return { host, email, apiToken, spaces: config.confluence.spaces, fetch, now };
}
