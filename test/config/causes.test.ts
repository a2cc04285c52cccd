import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSettings } from '../../src/app/settings.ts';
import { openCatalogue } from '../../src/vendors/error-catalogue/catalogue.ts';

const main = [
  'defaults: { service: ops }',
  'services: { ops: { pagerduty: PSOPS01, project: OPS } }',
  'projects: { OPS: { service: ops } }',
  'errors: { files: [errors.yml] }',
].join('\n');
const causeOf = (check: string, more = ''): string =>
  `causes:\n  - id: backlog\n    sentence: Too much is open.\n    check: |\n${check.replaceAll(/^/gm, '      ')}\n${more}`;
const counts = 'open = jira.count project={project} status=open\nsupported when open.total > 5';

/** The settings of these files, and what a start says about them. */
async function start(errors: string, operator = main) {
  const folder = await mkdtemp(join(tmpdir(), 'causes-'));
  await writeFile(join(folder, 'errors.yml'), errors);
  await writeFile(join(folder, 'countersign.yml'), operator);
  const { settings, errors: wrong } = checkSettings({
    ...{ SLACK_BOT_TOKEN: 'xoxb-a-token', SLACK_APP_TOKEN: 'xapp-a-token' },
    COUNTERSIGN_CONFIG: join(folder, 'countersign.yml'),
  });
  const said = wrong
    .map(({ message }) => message)
    .join('\n')
    .replaceAll(`${folder}/`, '');
  return { folder, causes: settings?.config.causes.map(({ id }) => id) ?? null, said };
}

describe('causes', () => {
  test('stand in countersign.yml and in the files of the error catalogue, which still lists its errors', async () => {
    const errors = `${causeOf(counts)}errors:\n  - { code: E-1, meaning: It broke. }\n`;
    const own = `${main}\n${causeOf(counts).replace('backlog', 'own')}`;
    const { folder, causes, said } = await start(errors, own);
    expect(said).toBe('');
    expect(causes).toEqual(['own', 'backlog']);
    const found = await openCatalogue([join(folder, 'errors.yml')]).lookUp('E-1', AbortSignal.timeout(9_000));
    expect(found.found).toMatchObject([{ meaning: 'It broke.' }]);
    expect((await start(causeOf(counts))).causes).toEqual(['backlog']);
  });

  test.each([
    [
      'writes',
      'jira.comment key=OPS-1 text=hi\nsupported when 1 > 0',
      'writes (jira.comment); a check only reads',
    ],
    ['has no condition', 'open = jira.count project=OPS', 'needs one line “supported when …”'],
    ['has two', `${counts}\nsupported when open.total > 9`, 'needs one line “supported when …”'],
    ['names no step', counts.replace('open.total', 'opn.total'), 'line 2'],
    ['reads free text', 'e = errors.lookup code=E-1\nsupported when e.lines == "x"', 'free text'],
    ['names a project nobody knows', counts.replace('{project}', 'PAY'), '"PAY" is not a configured project'],
    ['is in words', counts.replace('open.total > 5', 'words: it is bad'), 'not in words'],
    ['is a watch', `watch: every 10m\n${counts}`, 'about a whole plan'],
  ])('a check that %s stops the start and names its cause and line', async (_what, check, problem) => {
    const { causes, said } = await start(causeOf(check));
    expect(causes).toBeNull();
    expect(said).toContain('errors.yml:4 causes.0.check: ');
    expect(said).toContain(problem);
    expect(said).toContain('(cause backlog)');
  });

  test.each([
    ['nothing', 'nowhere', '', 'is not a known playbook of this installation'],
    ['an input that it lacks', 'sla-breach-check', 'colour: red', 'has no input “colour”'],
    ['a text that nobody gives', 'incident-kick-off', '', 'needs a value for “what”'],
    ['reads only', 'alert-evidence', '', 'it writes nothing'],
  ])('a fix with %s stops the start', async (_what, playbook, inputs, problem) => {
    const fix = `    fix: { playbook: ${playbook}, inputs: { ${inputs} } }\n`;
    expect((await start(causeOf(counts, fix))).said).toContain(problem);
  });

  test.each([
    ['only reads', 'jira.count project={project} status=open', 'it writes nothing'],
    ['names no tool', 'deploys.rollback service={service}', 'deploys.rollback'],
    ['cannot be read', 'jira.comment key=', 'line 1'],
    ['writes to a project nobody knows', 'jira.comment key=XX-1 text=hi', 'XX'],
    ['is a watch', 'watch: every 10m\njira.comment key=OPS-1 text=hi', 'about a whole plan'],
  ])(
    'a fix in notation that %s stops the start and names its cause and line',
    async (_what, fix, problem) => {
      const { causes, said } = await start(causeOf(counts, `    fix: ${JSON.stringify(fix)}\n`));
      expect(causes).toBeNull();
      expect(said).toMatch(/errors.yml:\d+ causes.0.fix: /);
      expect(said).toContain(problem);
      expect(said).toContain('(cause backlog)');
    },
  );

  test('a fix may be steps in notation, with the service and its project in them', async () => {
    const fix = `    fix: jira.create project={project} summary="{service} has a backlog" type=Bug priority=P2\n`;
    const { causes, said } = await start(causeOf(counts, fix));
    expect(said).toBe('');
    expect(causes).toEqual(['backlog']);
  });

  test('an id that is used twice stops the start', async () => {
    const { said } = await start(causeOf(counts), `${main}\n${causeOf(counts)}`);
    expect(said).toContain('errors.yml:2 causes.0.id: is used twice');
  });
});
