import { z } from 'zod';
import { serviceName } from './patterns.ts';
import { teamName } from './rule-schema.ts';

const space = z.string().regex(/^~?[A-Za-z0-9_.-]{1,100}$/, 'must be the key of a space');
const file = z.string().min(1).max(500);

/** Locations of runbooks and known errors. Paths are relative to the folder of `countersign.yml`. */
export const knowledge = {
  runbooks: z
    .strictObject({
      folder: file.describe('folder or git checkout of Markdown files'),
      address: z
        .url({ protocol: /^https$/, error: 'must be an https address' })
        .optional()
        .describe('where people open the same files, such as https://github.com/acme/runbooks/blob/main'),
    })
    .optional()
    .describe('runbooks in Markdown'),
  confluence: z
    .strictObject({
      spaces: z
        .array(space)
        .default([])
        .describe('keys of the spaces to search; all that the account may read when empty'),
      publish: z
        .array(space)
        .max(20)
        .default([])
        .describe('keys of the spaces in which pages may be created; reviews are published in the first'),
    })
    .optional()
    .describe('pages in Confluence, at CONFLUENCE_HOST'),
  glossary: z
    .record(z.string().trim().min(2).max(60), z.string().trim().min(1).max(300))
    .refine((all) => Object.keys(all).length <= 500, 'must have at most 500 terms')
    .default({})
    .describe('your words and what they mean here, told to a model whose request uses them'),
  guidance: z
    .array(
      z.strictObject({
        services: z.array(serviceName).min(1).optional().describe('services that it is about'),
        teams: z
          .array(teamName)
          .min(1)
          .optional()
          .describe('teams that it is about: all that belongs to them'),
        text: z.string().trim().min(1).max(600).describe('what a planner should know, in a few sentences'),
      }),
    )
    .max(100)
    .default([])
    .describe(
      'what a model is told when it plans about these services and teams; about anything if it names none',
    ),
  errors: z
    .strictObject({
      files: z.array(file).min(1).max(20).describe('YAML or Markdown files with known errors'),
    })
    .optional()
    .describe('catalogue of known errors'),
};
