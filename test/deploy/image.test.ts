/** Why: the image is checked with a tool that works and can pull its base images, or not at all. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { containerTool } from '../../deploy/image/container.ts';
import { stagesOf } from '../../deploy/image/dockerfile.ts';

const stages = stagesOf('FROM node:24 AS build\nRUN x\nFROM debian:12\nCOPY --from=build /a /a\n');
const path = process.env.PATH ?? '';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-tools-'));
  process.env.PATH = `${folder}${delimiter}${path}`;
  tool('docker', 'exit 1');
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true, force: true });
});

function tool(name: string, script: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

const offline = 'echo "Trying to pull $3..." >&2; echo "Error: no such host" >&2; exit 125';

test('a tool that cannot pull a base image is not used, and one line says so', () => {
  tool('podman', `case "$1" in info) ;; image) exit 1 ;; *) ${offline} ;; esac`);
  expect(containerTool(stages)).toEqual({
    tool: null,
    why: 'Podman cannot pull node:24 (Error: no such host)',
  });
});

test('a tool with the base images needs no network, and one that can pull them is used', () => {
  tool('podman', `case "$1" in info|image) ;; *) ${offline} ;; esac`);
  expect(containerTool(stages)).toEqual({ tool: 'podman' });
  tool('podman', 'case "$1" in image) [ "$3" = node:24 ] ;; esac');
  expect(containerTool(stages)).toEqual({ tool: 'podman' });
});

test('if no tool works, the message says which would', () => {
  tool('podman', 'exit 1');
  expect(containerTool(stages)).toEqual({ tool: null, why: 'neither Docker nor Podman works here' });
});
