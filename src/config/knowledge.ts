import { z } from 'zod';

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
  errors: z
    .strictObject({
      files: z.array(file).min(1).max(20).describe('YAML or Markdown files with known errors'),
    })
    .optional()
    .describe('catalogue of known errors'),
};
