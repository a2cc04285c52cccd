import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMarkdown, readWithin } from '../../../src/vendors/runbooks/folder.ts';

const limits = { files: 10, fileBytes: 1_000, totalBytes: 10_000, depth: 3 };
let folder: string;
let outside: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'runbooks-'));
  // Its name starts with the folder's: a plain text comparison would take it for a part of it.
  outside = await mkdtemp(`${folder}-`);
  await writeFile(path.join(folder, 'inside.md'), '# Inside');
  await writeFile(path.join(outside, 'secret.md'), '# Secret');
  await symlink(path.join(outside, 'secret.md'), path.join(folder, 'out.md'));
  await symlink(outside, path.join(folder, 'elsewhere'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(outside, { recursive: true });
});

test('a link that leaves the folder is not listed', async () => {
  const { files } = await findMarkdown(folder, limits, new AbortController().signal);
  expect(files.map((file) => file.path)).toEqual(['inside.md']);
});

test('a file replaced by a link out of the folder is not read', async () => {
  expect(await readWithin(folder, 'inside.md', 100)).toBe('# Inside');
  for (const file of ['out.md', 'elsewhere/secret.md', `../${path.basename(outside)}/secret.md`])
    expect(await readWithin(folder, file, 100), file).toBeNull();
});
