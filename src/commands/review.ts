import { parseArgs } from 'node:util';
import { allManifests } from '../../manifests/all.ts';
import { readSettings } from '../app/settings.ts';
import { servicesOf } from '../app/vendors.ts';
import { markdownOf } from '../core/markdown.ts';
import { type Reading, reviewOf, reviewSources } from '../history/review.ts';
import { reviewText, reviewTitle } from '../history/review-text.ts';
import type { Review } from '../history/review-words.ts';
import type { Db } from '../store/tables.ts';
import { knownTeams } from '../store/teams.ts';
import { createPagerDutyReader } from '../vendors/pagerduty/connect.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { withDatabase } from './database.ts';

/** `review INCIDENT`: the records of an incident, also those of private channels, with times, open ends and proof. */
export const reviewCommand: Command = (args, context) => print('review', args, context);

/** `timeline INCIDENT`: its first half. */
export const timelineCommand: Command = (args, context) => print('timeline', args, context);

async function print(
  which: 'timeline' | 'review',
  args: readonly string[],
  { variables, out, error }: CommandContext,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { markdown: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [incident, ...rest] = positionals;
  if (incident === undefined || rest.length > 0) throw new UsageError();
  const { env, config } = readSettings(variables);
  const { PAGERDUTY_API_TOKEN: token, PAGERDUTY_API_URL: apiUrl } = env;
  if (!token) {
    error('PAGERDUTY_API_TOKEN is not set.');
    return 2;
  }
  const services = servicesOf(config, variables);
  const pagerduty = createPagerDutyReader({ token, apiUrl, services, now: () => new Date() });
  const handles = new Map(Object.entries(config.people).map(([handle, id]) => [id, `@${handle}`]));
  return withDatabase(variables, async (db) => {
    let found = 0;
    for (const teamId of await knownTeams(db)) {
      const review = await reviewOf('', incident.replace(/^#/, ''), reading(db, teamId, pagerduty));
      if (review !== null && 'why' in review) error(review.why);
      if (review === null || 'why' in review) continue;
      found += 1;
      const nameOf = (id: string) => handles.get(id) ?? id;
      const text = textOf(review, nameOf, which, values.markdown);
      out(values.markdown ? `# ${markdownOf(reviewTitle(review, which))}\n\n${markdownOf(text)}` : text);
    }
    if (found === 0) error(`PagerDuty has no incident ${incident}, or the bot knows of no workspace yet.`);
    return found === 0 ? 1 : 0;
  });
}

const unasked = 'Messages with a pushpin: the command line does not ask Slack.';

function textOf(
  review: Review,
  nameOf: (id: string) => string,
  which: 'timeline' | 'review',
  page: boolean,
): string {
  const whole = { ...review, missing: [...review.missing, unasked] };
  return reviewText(whole, nameOf, { page, which, room: Number.POSITIVE_INFINITY });
}

function reading(db: Db, teamId: string, pagerduty: ReturnType<typeof createPagerDutyReader>): Reading {
  const noSlack = { nameOf: async () => null, marked: async () => [] };
  return {
    ...{ db, teamId, damaged: () => undefined, hosts: [] },
    manifests: new Map(allManifests.map((manifest) => [manifest.name, manifest])),
    ...{ permalink: async () => null, redraw: async () => undefined, maySee: async () => true },
    ...reviewSources({ pagerduty, gateway: noSlack }),
    log: { info() {}, warn() {}, error() {} },
  };
}
