import { relative } from 'node:path';
import type { Acceptance, CheckName, RefusedCheck } from '../baseline/accept.ts';
import { textOf } from '../gate/texts.ts';
import type { Profile } from '../profile.ts';
import { escapeControls } from '../shared/escape-controls.ts';

const REFUSED: Readonly<Record<RefusedCheck['why'], string>> = {
  'nothing-stable':
    'all of its evidence differs between two runs, so it could not be recognised again. If the server was changed since the run, run again first',
  'occurrences-differ':
    'a second run had another result. If the server was changed since the run, run again first; otherwise mark it flaky with an expiry once you know why',
};

const KEPT = {
  'not-written': 'not written',
  'as-it-was': 'left as it was',
  'without-review': 'left without its review date',
} as const;

/** A suite that lost its scenarios is one line's news, not a screenful; the diff of the file has the rest. */
const MOST_VANISHED = 20;

/** What `accept` did to one profile's baseline, in lines for people. */
export function showAcceptance(
  profile: Profile,
  file: string,
  acceptance: Acceptance,
  cwd: string,
): string[] {
  if (!acceptance.accepted) {
    return [
      `${profile.id}  refused: it was not measured, and from that nothing is accepted.`,
      ...acceptance.findings.flatMap((finding) => textOf(finding).title),
    ].map(escapeControls);
  }
  const { added, changed, kept, removed, refused, vanished, unreviewed } = acceptance;
  const shown = relative(cwd, file);
  return [
    `${profile.id}  ${shown.startsWith('..') ? file : shown}`,
    `  ${added.length} added, ${changed.length} changed, ${kept.length} kept, ${removed.length} removed`,
    ...(acceptance.otherCapabilities
      ? ['  The server advertises other capabilities than before; the diff of the file shows which.']
      : []),
    ...refused.map(
      (check) => `  ${KEPT[check.kept ?? 'not-written']}: ${name(check)}: ${REFUSED[check.why]}`,
    ),
    ...vanished.slice(0, MOST_VANISHED).map((check) => `  not checked any more: ${name(check)}`),
    ...(vanished.length > MOST_VANISHED
      ? [`  not checked any more: ${vanished.length - MOST_VANISHED} others`]
      : []),
    ...(unreviewed > 0
      ? [
          `  Next: read the ${unreviewed} ${unreviewed === 1 ? 'entry' : 'entries'} without a review date, give each its class, reason and \`reviewed: <date>\`, and run again.`,
        ]
      : []),
  ].map(escapeControls);
}

const name = ({ scenario, check }: CheckName): string => `${scenario} / ${check}`;
