import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

/**
 * A tiny shell that outlives this process when it is killed in a way that nobody can catch. It reads the process groups
 * that run (`+ 123`) and that ended (`- 123`); when the pipe closes, because the gate is gone, it ends what is left and removes
 * the gate's temporary folder. After a normal end nothing is left, and it goes away silently.
 */
const SCRIPT = `
groups=""
while read -r sign group; do
  case "$sign" in
    +) groups="$groups $group" ;;
    -) rest=""; for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done; groups="$rest" ;;
  esac
done
alive=""
for g in $groups; do kill -s TERM -- "-$g" 2>/dev/null && alive="$alive $g"; done
rm -rf -- "$1"
if [ -n "$alive" ]; then
  sleep 1
  for g in $alive; do kill -s KILL -- "-$g" 2>/dev/null; done
  rm -rf -- "$1"
fi
`;

let running: { readonly stdin: Writable; readonly folder: string } | undefined;

function reaper(): { readonly stdin: Writable; readonly folder: string } {
  if (running) return running;
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-gate-'));
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'mcp-conformance-gate-reaper', folder], {
    // Signals from the keyboard go to the foreground group; this one has to outlive them.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as Writable & { unref?: () => void }).unref?.();
  running = { stdin: child.stdin, folder };
  return running;
}

/**
 * Has a process group ended should this process die without doing it itself.
 * @returns to be called when the group has ended
 */
export function reapLater(group: number): () => void {
  const { stdin } = reaper();
  stdin.write(`+ ${group}\n`);
  return () => stdin.write(`- ${group}\n`);
}

/** @returns a new private folder that does not outlive this process, whatever ends it */
export function temporaryFolder(prefix: string): string {
  const { folder } = reaper();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(folder, prefix));
}
