// Bundles the script and the style of report.html into src/publish/page/assets.ts, which is committed so that the sources
// run as they are. `node scripts/build-page.mjs --check` fails when the committed file is not what this would write.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'lightningcss';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'src/publish/page/assets.ts');

const bundle = await rolldown({
  input: join(root, 'src/publish/page/client/main.ts'),
  cwd: root,
  platform: 'browser',
});
const { output } = await bundle.generate({ format: 'iife', minify: true });
await bundle.close();
const script = output[0].code.trim();
// Nothing is lowered: the page asks for a browser of the last two years, and light-dark() stays what it is.
const style = transform({
  filename: 'page.css',
  code: await readFile(join(root, 'src/publish/page/page.css')),
  minify: true,
  include: 0,
})
  .code.toString()
  .trim();
if (/<\/?script|<!--/i.test(script) || /<\/?style/i.test(style))
  throw new Error('The page would end its own script or style element.');

const text = `// Written by scripts/build-page.mjs from client/ and page.css. Do not edit.
export const PAGE_SCRIPT = ${JSON.stringify(script)};
export const PAGE_STYLE = ${JSON.stringify(style)};
`;
if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8')) !== text) {
    console.error(
      'src/publish/page/assets.ts is not what its sources build. Run `npm run build` and commit it.',
    );
    process.exitCode = 1;
  }
} else await writeFile(file, text);
