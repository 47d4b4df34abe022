// Checked before anything else is loaded: what follows needs a Node that has the language's newer parts.
const OLDEST_NODE = 22;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(
    `error: this is Node ${process.versions.node}; mcp-conformance-gate needs Node ${OLDEST_NODE} or newer, as the referee does.\n` +
      '  Install a newer Node, or run it through one: npx --package node@24 -- node dist/cli.js\n',
  );
  process.exitCode = 2;
} else {
  const { main } = await import('../command/main.ts');
  await main(process.argv.slice(2));
  // All that was started has ended; what keeps Node here are idle connections. What was printed goes out first.
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
  );
  process.exit();
}

export {};
