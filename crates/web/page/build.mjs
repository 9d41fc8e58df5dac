// Bundles the page into the folder that is given as the first argument: index.html, app.js, app.css and favicon.svg.
//
// The files have no date, no hash and no path of this machine in them, so that two builds can be compared byte by byte.

import { build } from 'esbuild';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const out = process.argv[2];
if (!out) throw new Error('usage: node build.mjs FOLDER');
// Chessground writes one style attribute, which the server's content security policy forbids. style/board.css says the same.
const withoutInlineStyle = {
  name: 'without-inline-style',
  setup({ onLoad }) {
    onLoad({ filter: /chessground\/dist\/wrap\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const found = /\n\s*style: 'color-scheme:light only',/;
      if (!found.test(text)) throw new Error('chessground has changed: see whether it still writes style attributes');
      return { contents: text.replace(found, '') };
    });
  },
};

await mkdir(out, { recursive: true });
await build({
  entryPoints: { app: 'src/main.ts' },
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
  outdir: out,
  legalComments: 'none',
  charset: 'utf8',
  loader: { '.svg': 'dataurl' },
  banner: { js: '/* Entente, GPL-3.0-or-later; with chessground and chessops, GPL-3.0-or-later. Sources: crates/web/page */' },
  plugins: [withoutInlineStyle],
});
for (const file of ['index.html', 'favicon.svg']) await copyFile(file, join(out, file));
