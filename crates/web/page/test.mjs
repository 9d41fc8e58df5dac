// Bundles the tests for Node and runs them.

import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'entente-page-'));
try {
  const outfile = join(folder, 'text.test.mjs');
  await build({ entryPoints: ['tests/text.test.ts'], bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'warning' });
  process.exitCode = spawnSync(process.execPath, ['--test', outfile], { stdio: 'inherit' }).status ?? 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
